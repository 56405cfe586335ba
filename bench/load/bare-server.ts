import { App, type HttpResponse, us_socket_local_port } from 'uWebSockets.js';

// The least that uWebSockets.js can do: one constant answer of the size of the real one, with nothing looked up or
// stored. With BARE_CARD_BYTES it is a page of that many bytes with a card's headers, else a redirect.
const page = Buffer.alloc(Number(process.env.BARE_CARD_BYTES ?? 0), 'x');

function redirect(response: HttpResponse): void {
  response
    .writeStatus('302 Found')
    .writeHeader('Location', 'https://destination.example/item/0123456')
    .writeHeader('Cache-Control', 'private, no-store')
    .end();
}

function card(response: HttpResponse): void {
  response
    .writeStatus('200 OK')
    .writeHeader('Vary', 'User-Agent')
    .writeHeader('Content-Type', 'text/html; charset=utf-8')
    .writeHeader('Cache-Control', 'no-store')
    .writeHeader(
      'Content-Security-Policy',
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    .writeHeader('X-Robots-Tag', 'noindex')
    .writeHeader('X-Content-Type-Options', 'nosniff')
    .writeHeader('Referrer-Policy', 'no-referrer')
    .end(page);
}

App()
  .any('/*', page.length === 0 ? redirect : card)
  .listen('127.0.0.1', 0, (socket) => {
    if (!socket) throw new Error('no port could be had');
    process.send?.({ type: 'ready', port: us_socket_local_port(socket) });
  });
process.on('disconnect', () => process.exit(0));
