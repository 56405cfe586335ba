import { createRoot } from 'react-dom/client';
import './styles/tokens.css';
import './styles/base.css';
import './styles/controls.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/lists.css';
import './styles/figures.css';
import { App } from './app.js';
import { applyTheme } from './shell/theme.js';

applyTheme();
createRoot(document.getElementById('root') as HTMLElement).render(<App />);
