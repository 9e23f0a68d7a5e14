import './withoutEval.ts';
import '@vscode/codicons/dist/codicon.css';
import './styles/base.css';
import './styles/page.css';
import './styles/banner.css';
import './styles/lookBack.css';
import './styles/emptyChat.css';
import './styles/dropTarget.css';
import './styles/message.css';
import './styles/sources.css';
import './styles/compaction.css';
import './styles/tool.css';
import './styles/markdown.css';
import './styles/ansi.css';
import './styles/code.css';
import './styles/composer.css';
import './styles/tray.css';
import './styles/queue.css';
import './styles/review.css';
import './styles/steps.css';
import './styles/todos.css';
import './styles/attachments.css';
import './styles/branches.css';
import './styles/alternatives.css';
import './styles/attempts.css';
import { render } from 'preact';
import { App } from './app.tsx';
import { PageContext } from './components/pageContext.ts';
import { keepFocus } from './focus.ts';
import { ignoreSecondClicks, listenToKeys, openLinksThrough } from './pageListeners.ts';
import { OpeningInput } from './openingInput.ts';
import { guardPage } from './state/renderingGuard.ts';
import { Page } from './state/page.ts';
import { AlternativesApp } from './alternatives/alternativesApp.tsx';

const root = document.getElementById('root');
if (root) {
  keepFocus(root);
  const opening = new OpeningInput(root);
  const [guard] = await Promise.all([guardPage(reportError), stylesLoaded()]);
  const page = new Page(guard, await opening.take());
  ignoreSecondClicks();
  openLinksThrough(page.host);
  listenToKeys(page);
  render(
    <PageContext.Provider value={page}>
      {root.dataset['surface'] === 'alternatives' ? <AlternativesApp /> : <App />}
    </PageContext.Provider>,
    root,
  );
  opening.giveBack();
}

/** Without the styles, the layout would shift. */
async function stylesLoaded(): Promise<void> {
  const styles = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');
  if (!styles || styles.sheet) return;
  await new Promise((resolve) => {
    styles.addEventListener('load', resolve, { once: true });
    // The page is usable without them.
    styles.addEventListener('error', resolve, { once: true });
  });
}
