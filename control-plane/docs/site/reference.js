/**
 * Shows the API reference, on a page that has loaded Scalar before this script. Nothing but this origin is asked: its fonts,
 * telemetry, chat, proxy and links to its maker's services are switched off, and the page's policy forbids them besides.
 */

/** Stands in the samples of the document for the address of the API. */
const SAMPLE_BASE_URL = 'https://api.example.com/v1';

// Beside this page, below whatever path a proxy may have put both.
const server = new URL('v1', document.baseURI).href;

/** Samples are written in curl and our own SDKs: those of other languages are hidden. */
const HIDDEN_CLIENTS = {
  c: true,
  clojure: true,
  csharp: true,
  dart: true,
  fsharp: true,
  go: true,
  http: true,
  java: true,
  js: true,
  julia: true,
  kotlin: true,
  node: true,
  objc: true,
  ocaml: true,
  php: true,
  powershell: true,
  python: true,
  r: true,
  ruby: true,
  rust: true,
  shell: ['wget', 'httpie'],
  swift: true,
};

const answer = await fetch('docs/openapi.json');
const openapi = JSON.parse((await answer.text()).replaceAll(SAMPLE_BASE_URL, server));
openapi.servers = [{ url: server, description: 'This server' }];

window.Scalar.createApiReference('#reference', {
  content: openapi,
  theme: 'default',
  hiddenClients: HIDDEN_CLIENTS,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  defaultOpenFirstTag: true,
  persistAuth: false,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  // The colours are the system's, here as in the guides.
  hideDarkModeToggle: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  // No service of Scalar's maker has an address here.
  externalUrls: { dashboardUrl: '', registryUrl: '', proxyUrl: '', apiBaseUrl: '' },
});

// Beyond the list of operations, which Scalar puts before the text. An address with a fragment would be one of Scalar's sections.
document.querySelector('.docs-skip').addEventListener('click', (event) => {
  const text = document.querySelector('#reference main');
  if (text === null) return;
  event.preventDefault();
  text.tabIndex = -1;
  text.focus();
});
