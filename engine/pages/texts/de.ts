import type { Texts } from './page-texts.js';

export const DE: Texts = {
  status: {
    not_found: { title: 'Link nicht gefunden', text: 'Unter dieser Adresse gibt es keinen Link. Bitte auf Tippfehler prüfen.' },
    disabled: { title: 'Link nicht verfügbar', text: 'Unter dieser Adresse gibt es keinen Link mehr.' },
    expired: { title: 'Link abgelaufen', text: 'Dieser Link galt für begrenzte Zeit, und die ist vorbei.' },
    deleted: { title: 'Link entfernt', text: 'Dieser Link wurde von seinem Inhaber entfernt.' },
    blocked: { title: 'Link gesperrt', text: 'Dieser Link ist gesperrt, weil die Seite dahinter gefährlich sein könnte.' },
    method_not_allowed: { title: 'Methode nicht erlaubt', text: 'Ein Link lässt sich nur öffnen.' },
    unavailable: { title: 'Gleich noch einmal versuchen', text: 'Dieser Link konnte gerade nicht nachgeschlagen werden.' },
    failed: { title: 'Etwas ist schiefgelaufen', text: 'Dieser Link ließ sich nicht öffnen. Bitte gleich noch einmal versuchen.' },
    no_destination: {
      title: 'In der App öffnen',
      text: 'Dieser Link führt in die App {project}. Bitte auf einem Gerät öffnen, das die App hat.',
    },
  },
  open: { title: 'Weiter in der App {project}', text: 'Ein Tipp auf den Knopf öffnet diesen Link in der App.' },
  get: { title: 'Die App {project} laden', text: 'Dieser Link öffnet sich in der App.' },
  open_button: 'App öffnen',
  get_button: 'App laden',
  web_link: 'Weiter im Browser',
  support_link: 'Hilfe',
  in_app_hint:
    'Der Browser einer anderen App kann diese App vielleicht nicht öffnen. Im Menü „Im Browser öffnen“ wählen, dann auf den Knopf tippen.',
  password: {
    title: 'Passwort eingeben',
    text: 'Dieser Link ist geschützt. Das Passwort kennt, wer ihn verschickt hat.',
    label: 'Passwort',
    button: 'Weiter',
    wrong: 'Das ist nicht das Passwort. Bitte noch einmal versuchen.',
    throttled: 'Zu viele Versuche. Bitte eine Minute warten und noch einmal versuchen.',
    unsent: 'Es kam keine Antwort. Bitte die Verbindung prüfen und noch einmal versuchen.',
  },
};
