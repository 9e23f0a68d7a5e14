// What every store does, and what holds whatever engines do, with the stores of a browser in a worker. The bundler puts
// these stores in place of those of Node.
import '../../unit/store/contextStore.test.ts';
import '../../unit/engine/contextEngine.test.ts';
import '../../unit/engine/properties.test.ts';
