import type { Catalogue } from './catalogue.js';

/** The frame of the page, signing in, and what screens share: charts, forms, states and errors. */
export const PAGE: Catalogue = {
  // Errors
  'The response was interrupted. It is not known whether the request was carried out.':
    'Die Antwort kam nicht bis zu ihrem Ende. Ob der Auftrag ausgeführt wurde, ist nicht bekannt.',
  'The file was not transferred completely. Try again, with less data if you can.':
    'Die Datei wurde nicht vollständig übertragen. Versuchen Sie es erneut, möglichst mit weniger Inhalt.',
  '{server} does not respond. Check that the service is running and that this browser can reach it.':
    '{server} antwortet nicht. Läuft der Dienst, und ist er von diesem Browser aus erreichbar?',
  'The response does not come from the API of this service: it is not JSON.':
    'Geantwortet hat nicht die API dieses Dienstes: Die Antwort ist kein JSON.',
  'The server returned {status} without a reason. The response may come from a proxy.':
    'Der Server hat ohne Begründung mit {status} geantwortet. Möglicherweise stammt die Antwort von einem Proxy dazwischen.',

  // Charts
  Clicks: 'Klicks',
  Range: 'Zeitraum',
  People: 'Menschen',
  All: 'Alle',
  Unique: 'Eindeutig',
  'clicks by people': 'Klicks von Menschen',
  'all clicks': 'alle Klicks',
  'unique visitors': 'eindeutige Besucher',
  'Clicks by day, {from} to {to}': 'Klicks pro Tag, {from} bis {to}',
  Count: 'Zählweise',
  Platforms: 'Plattformen',
  Countries: 'Länder',
  Referrers: 'Referrer',
  'Direct or unknown': 'Direkt oder unbekannt',
  'The tables count {measure} and have at most ten rows: those with the most clicks by people. Days are in {timezone}. Clicks up to {asOf}.':
    'Die Tabellen zählen {measure} und haben höchstens zehn Zeilen: die mit den meisten Klicks von Menschen. Tage nach {timezone}. Klicks bis {asOf}.',
  'No clicks on these days': 'Keine Klicks in diesen Tagen',
  'All clicks': 'Alle Klicks',
  'By people': 'Von Menschen',
  'Unique visitors': 'Eindeutige Besucher',
  '{label}. Use the arrow keys to read the points.': '{label}. Die Pfeiltasten lesen die einzelnen Punkte vor.',
  'No clicks by people in {days} days': 'Keine Klicks von Menschen in {days} Tagen',
  '{clicks}; most on one day: {largest}, {when}; today: {today}': '{clicks}; die meisten an einem Tag: {largest}, {when}; heute: {today}',
  '{count} clicks by people in {days} days': ['{count} Klick von Menschen in {days} Tagen', '{count} Klicks von Menschen in {days} Tagen'],
  'As a table': 'Als Tabelle',
  '{day}, so far': '{day}, bisher',
  Day: 'Tag',
  Time: 'Zeit',
  Links: 'Links',
  none: 'keine',
  Unknown: 'Unbekannt',

  // Forms
  'Nothing was saved. Correct the marked fields.': 'Nicht gespeichert: Bitte prüfen Sie die Angaben im Formular.',
  'Now saved: {value}': 'Inzwischen gespeichert: {value}',
  'Use it': 'Übernehmen',
  on: 'ein',
  off: 'aus',
  nothing: 'nichts',
  'You cannot change this with your key: it lacks the scope {scope}.':
    'Mit Ihrem Schlüssel lässt sich das nicht ändern: Ihm fehlt die Berechtigung {scope}.',
  'Your unsent entries were restored.': 'Ihre nicht gesendeten Eingaben wurden wiederhergestellt.',
  'Discard them': 'Verwerfen',
  Cancel: 'Abbrechen',
  Enter: 'Eingabe',
  '{count} fields that you changed have also been changed elsewhere. The saved value is shown below each. Save again to replace them with yours.':
    [
      'Ein Feld, das Sie geändert haben, wurde inzwischen auch an anderer Stelle geändert. Es zeigt den gespeicherten Wert. Speichern Sie erneut, um ihn durch Ihren zu ersetzen.',
      '{count} Felder, die Sie geändert haben, wurden inzwischen auch an anderer Stelle geändert. Jedes zeigt den gespeicherten Wert. Speichern Sie erneut, um ihn durch Ihren zu ersetzen.',
    ],
  'Entry {number}': 'Eintrag {number}',
  '{count} fields have errors: see above.': ['Ein Feld enthält einen Fehler: siehe oben.', '{count} Felder enthalten Fehler: siehe oben.'],
  'is required': 'muss angegeben werden',
  'is not JSON': 'ist kein gültiges JSON',

  // Parts of screens
  'The image cannot be loaded': 'Das Bild lädt nicht',
  'From {host}': 'Von {host}',
  Copied: 'Kopiert',
  'The browser does not permit copying. Select the text and copy it yourself.':
    'Der Browser lässt das Kopieren nicht zu. Markieren Sie den Text und kopieren Sie ihn selbst.',
  Close: 'Schließen',
  'Export links': 'Links exportieren',
  'Export campaigns': 'Kampagnen exportieren',
  'Export clicks': 'Klicks exportieren',
  'The first day {detail}.': 'Der erste Tag {detail}.',
  'The file is being created.': 'Die Datei wird erstellt.',
  'Export {format}': '{format} exportieren',
  '7 days': '7 Tage',
  '30 days': '30 Tage',
  Ctrl: 'Strg',
  Loading: 'Wird geladen',
  'The request failed': 'Das hat nicht geklappt',
  'The period ends before it begins': 'Der Zeitraum endet vor seinem Beginn',
  'Change its beginning or its end.': 'Ändern Sie seinen Beginn oder sein Ende.',
  'Not found': 'Hier gibt es das nicht',
  'The server cannot be reached': 'Der Server ist nicht erreichbar',
  'The key no longer works': 'Der Schlüssel gilt nicht mehr',
  'The key is not allowed to see this': 'Der Schlüssel darf das nicht sehen',
  'Too many requests': 'Zu viele Anfragen',
  'The service is not available': 'Der Dienst ist nicht verfügbar',
  'It may have been deleted, or may belong to the other environment.': 'Vielleicht wurde es gelöscht oder gehört zur anderen Umgebung.',
  'Back to the list': 'Zurück zur Liste',
  'Try again': 'Erneut versuchen',
  'Show more': 'Mehr anzeigen',
  expired: 'abgelaufen',
  test: 'Test',
  'Rules that applied': 'Angewandte Regeln',

  // Signing in
  'This is a publishable key, which is for apps. The dashboard needs a secret key: sk_live_… or sk_test_…':
    'Das ist ein öffentlicher Schlüssel für Apps. Das Dashboard braucht einen geheimen: sk_live_… oder sk_test_…',
  'A secret key begins with sk_live_ or sk_test_.': 'Ein geheimer Schlüssel beginnt mit sk_live_ oder sk_test_.',
  'Enter the address of the API, such as {href}': 'Geben Sie die Adresse der API ein, zum Beispiel {href}',
  'This page can call only {origin}. Open the dashboard of the other server instead: it is at /dashboard/ on that server.':
    'Diese Seite ruft nur {origin} auf. Öffnen Sie das Dashboard des anderen Servers: Es liegt unter /dashboard/ neben seiner API.',
  'The server does not know this key. It may have been revoked.':
    'Der Server kennt diesen Schlüssel nicht. Vielleicht wurde er widerrufen.',
  'The key needs the scope links:read or links:write.': 'Der Schlüssel braucht die Berechtigung links:read oder links:write.',
  live: 'Live',
  'Sign in · Link service': 'Anmelden · Link service',
  'Sign in to your links': 'Bei Ihren Links anmelden',
  'Your entries are kept. Sign in to the same project to continue.':
    'Ihre Eingaben sind erhalten. Melden Sie sich beim selben Projekt an, um damit fortzufahren.',
  'Enter the address of the service and a secret key of your project. The first start printed both.':
    'Geben Sie die Adresse des Dienstes und einen geheimen Schlüssel Ihres Projekts ein. Beides wurde beim ersten Start ausgegeben.',
  'Secret key': 'Geheimer Schlüssel',
  'sk_live_… or sk_test_…': 'sk_live_… oder sk_test_…',
  'Keep me signed in': 'Angemeldet bleiben',
  'Your browser lets this page store nothing. The page works, but forgets the key and unsent entries when you reload it.':
    'Ihr Browser lässt diese Seite nichts speichern. Sie funktioniert, vergisst aber beim Neuladen den Schlüssel und nicht gesendete Eingaben.',
  'Stores the key in this browser. Otherwise the key is forgotten when you close the tab.':
    'Speichert den Schlüssel in diesem Browser. Sonst wird er vergessen, sobald Sie den Tab schließen.',
  'Sign in': 'Anmelden',
  'This key is for the {opened} environment. Keys of the {wanted} environment begin with {prefix}.':
    'Dieser Schlüssel öffnet die {opened}-Umgebung. Schlüssel der {wanted}-Umgebung beginnen mit {prefix}.',
  'This key belongs to another project, {name}. To open that project, sign out first.':
    'Dieser Schlüssel gehört zu einem anderen Projekt, {name}. Melden Sie sich zuerst ab, um dorthin zu wechseln.',
  'Secret key of the {environment} environment': 'Geheimer Schlüssel der {environment}-Umgebung',
  'Both keys are kept, so that you can switch between the environments.':
    'Beide Schlüssel bleiben erhalten, damit Sie zwischen den Umgebungen wechseln können.',
  'Open it': 'Öffnen',
  'The key of the {environment} environment no longer works.': 'Der Schlüssel der {environment}-Umgebung gilt nicht mehr.',

  // The frame
  'create short URL': 'Kurz-URL erstellen anlegen',
  'CSV file': 'CSV-Datei',
  'On this screen': 'Auf dieser Seite',
  Actions: 'Aktionen',
  'Switch to the {environment} environment': 'Zur {environment}-Umgebung wechseln',
  'Light colours': 'Helle Farben',
  'Dark colours': 'Dunkle Farben',
  'theme mode': 'Design Modus',
  'Keyboard shortcuts': 'Tastenkürzel',
  'Sign out': 'Abmelden',
  'Go to': 'Gehe zu',
  'Open the {environment} environment': '{environment}-Umgebung öffnen',
  Test: 'Test',
  Resources: 'Ressourcen',
  'This screen does not exist': 'Diese Seite gibt es nicht',
  'The address may have a typing error or belong to another version of this page.':
    'Die Adresse enthält vielleicht einen Tippfehler oder gehört zu einer anderen Version.',
  'Open the overview': 'Zur Übersicht',
  'You are offline.': 'Sie sind offline.',
  'What you see may be out of date, and nothing can be saved until the connection is back.':
    'Was Sie sehen, kann veraltet sein. Speichern lässt sich erst wieder etwas, wenn die Verbindung zurück ist.',
  'Search and commands': 'Suche und Befehle',
  'Search screens, commands and links': 'Seiten, Befehle und Links suchen',
  'Find a link, go to a screen, run a command': 'Link, Seite oder Befehl suchen',
  Searching: 'Suche läuft',
  'Nothing matches': 'Keine Treffer',
  'There are more. Type a part of the name or key.': 'Es gibt noch mehr. Tippen Sie einen Teil des Namens oder Schlüssels.',
  'The first {count} results': ['Der erste Treffer', 'Die ersten {count} Treffer'],
  '{count} results': ['{count} Treffer', '{count} Treffer'],
  Results: 'Treffer',
  'This screen cannot be shown': 'Diese Seite lässt sich nicht anzeigen',
  'You are offline. The screen is loaded once the connection is back. Your entries in forms are kept.':
    'Sie sind offline. Die Seite wird geladen, sobald die Verbindung wieder da ist. Ihre Eingaben in Formularen bleiben erhalten.',
  'The service may have been updated since the page was loaded, or did not respond. Your entries in forms are kept.':
    'Vielleicht wurde der Dienst seit dem Laden der Seite aktualisiert, oder er hat nicht geantwortet. Ihre Eingaben in Formularen bleiben erhalten.',
  'Reload the page': 'Seite neu laden',
  'Skip to the content': 'Zum Inhalt springen',
  Menu: 'Menü',
  'Find or run': 'Suchen oder ausführen',
  'Test environment': 'Test-Umgebung',
  'Nothing here affects your live links.': 'Nichts hier wirkt sich auf Ihre Live-Links aus.',
  'Search or go to': 'Suchen',
  Screens: 'Seiten',
  'API reference': 'API-Referenz',
  Everywhere: 'Überall',
  'Search, go to a screen, run a command': 'Suchen, Seite wechseln, Befehl ausführen',
  'Save the form': 'Formular speichern',
  'Close what is open': 'Geöffnetes schließen',
  'Single keys': 'Einzelne Tasten',
  'Keys without Ctrl, Alt or ⌘. They do nothing while you type in a field.':
    'Tasten ohne Strg, Alt oder ⌘. Während Sie in ein Feld tippen, bewirken sie nichts.',
  Language: 'Sprache',
  'Same as browser': 'Wie im Browser',
  'The language cannot be loaded. Try again.': 'Die Sprache lässt sich nicht laden. Versuchen Sie es erneut.',
};
