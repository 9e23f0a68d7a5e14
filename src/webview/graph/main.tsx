import '../withoutEval.ts';
import '@vscode/codicons/dist/codicon.css';
import '../styles/base.css';
import './graph.css';
import { render } from 'preact';
import { GraphApp } from './graphApp.tsx';
import { GraphContext, GraphPage } from './graphPage.ts';

const root = document.getElementById('root');
if (root) {
  render(
    <GraphContext.Provider value={new GraphPage()}>
      <GraphApp />
    </GraphContext.Provider>,
    root,
  );
}
