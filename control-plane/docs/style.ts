/** The whole style of the reference: system fonts, light and dark, nothing loaded from anywhere. */
export const STYLE = `
:root { color-scheme: light dark; --line: #d6d9de; --muted: #5c6370; --code: #f3f4f6; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --line: #3a3f47; --muted: #a0a7b4; --code: #23262b; --link: #8ab4f8; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; display: grid; grid-template-columns: 18rem minmax(0, 1fr); }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav ul { list-style: none; margin: 0 0 1rem; padding: 0; }
main { padding: 1.5rem 2rem 6rem; max-width: 60rem; }
a { color: var(--link); text-decoration: none; }
a:hover, a:focus { text-decoration: underline; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); }
article { margin-top: 2.5rem; }
code, pre { font: .875em/1.5 ui-monospace, monospace; background: var(--code); border-radius: 4px; }
code { padding: .1em .3em; overflow-wrap: anywhere; }
pre { padding: .8rem 1rem; overflow: auto; }
pre code { padding: 0; background: none; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-bottom: 1px solid var(--line); }
.muted { color: var(--muted); }
@media (max-width: 50rem) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 1rem; } }
`;
