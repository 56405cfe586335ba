import type { Texts } from './page-texts.js';

export const IT: Texts = {
  status: {
    not_found: { title: 'Link non trovato', text: 'A questo indirizzo non c’è alcun link. Controlla che sia scritto correttamente.' },
    disabled: { title: 'Link non disponibile', text: 'A questo indirizzo non c’è più alcun link.' },
    expired: { title: 'Link scaduto', text: 'Questo link era valido per un periodo limitato, ormai trascorso.' },
    deleted: { title: 'Link rimosso', text: 'Questo link è stato rimosso dal suo proprietario.' },
    blocked: { title: 'Link bloccato', text: 'Questo link è bloccato perché la pagina a cui porta potrebbe essere pericolosa.' },
    method_not_allowed: { title: 'Metodo non consentito', text: 'Un link può solo essere aperto.' },
    unavailable: { title: 'Riprova tra poco', text: 'In questo momento non è stato possibile cercare questo link.' },
    failed: { title: 'Qualcosa è andato storto', text: 'Non è stato possibile aprire questo link. Riprova tra poco.' },
    no_destination: {
      title: 'Aprilo nell’app',
      text: 'Questo link porta nell’app {project}. Aprilo su un dispositivo in cui l’app è installata.',
    },
  },
  open: { title: 'Continua nell’app {project}', text: 'Tocca il pulsante per aprire questo link nell’app.' },
  get: { title: 'Scarica l’app {project}', text: 'Questo link si apre nell’app.' },
  open_button: 'Apri l’app',
  get_button: 'Scarica l’app',
  web_link: 'Continua nel browser',
  support_link: 'Assistenza',
  in_app_hint:
    'Sei dentro un’altra app, il cui browser potrebbe non riuscire ad aprire questa. Scegli «Apri nel browser» nel suo menu, poi tocca il pulsante.',
  password: {
    title: 'Inserisci la password',
    text: 'Questo link è protetto. Chi te l’ha inviato conosce la password.',
    label: 'La password',
    button: 'Continua',
    wrong: 'La password non è corretta. Riprova.',
    throttled: 'Troppi tentativi. Aspetta un minuto e riprova.',
    unsent: 'Nessuna risposta. Controlla la connessione e riprova.',
  },
};
