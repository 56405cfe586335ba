/**
 * The style of every page of the link hosts: light or dark by the system's setting, from 320 pixels up, in the system's own fonts.
 * Colours have a contrast of at least 4.5 to 1 (WCAG 2.2, 1.4.3). If the system forces its own colours, borders remain to show
 * what can be tapped.
 */
export const STYLE = `:root{color-scheme:light dark;--page:#f3f4f7;--card:#fff;--text:#15181e;--soft:#59606d;--line:#e2e5eb;--accent:#2f54eb;--on:#fff;--tint:#eef1fe}
@media(prefers-color-scheme:dark){:root{--page:#0e1014;--card:#181b21;--text:#f2f4f7;--soft:#a6adba;--line:#2b303a;--accent:#8ea6ff;--on:#0c1230;--tint:#232a44}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:1rem;background:var(--page);color:var(--text);font:1.0625rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
main{width:100%;max-width:25rem;padding:2rem 1.5rem;border:1px solid var(--line);border-radius:1.5rem;background:var(--card);box-shadow:0 1rem 3rem #10182814;text-align:center;overflow-wrap:anywhere}
.mark{display:grid;place-items:center;width:4rem;height:4rem;margin:0 auto 1.5rem;border:1px solid transparent;border-radius:1.125rem;background:var(--accent);color:var(--on);font-size:1.75rem;font-weight:650;line-height:1}
.sign{display:block;width:3.25rem;height:3.25rem;margin:0 auto 1.125rem;padding:.875rem;border-radius:50%;background:var(--tint);color:var(--accent);fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
h1{margin:0 0 .5rem;font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
p{margin:0;text-wrap:pretty}
h1+p{color:var(--soft)}
.owner{margin-top:1.75rem;padding-top:1.25rem;border-top:1px solid var(--line);color:var(--soft);font-size:.9375rem;font-weight:500}
.note{margin-top:1.25rem;padding:.875rem 1rem;border:1px solid var(--line);border-radius:1rem;background:var(--tint);font-size:.9375rem;text-align:start}
.actions{display:grid;gap:.75rem;margin-top:1.75rem}
.actions a{display:block;padding:.8125rem 1.25rem;border:1px solid transparent;border-radius:.875rem;color:var(--accent);font-weight:600;text-decoration:none;touch-action:manipulation}
.actions .main{background:var(--accent);color:var(--on)}
.actions .second{border-color:var(--line)}
.actions a:active{opacity:.8}
a:focus-visible{outline:3px solid var(--accent);outline-offset:3px}`;
