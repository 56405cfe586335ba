import type { Catalogue } from './catalogue.js';

/** Imports, and campaigns. */
export const MOVING_IN: Catalogue = {
  'The part of this page that reads files cannot be loaded. Reload the page, or try again later.':
    'Der Teil der Seite, der Dateien liest, lässt sich nicht laden. Laden Sie die Seite neu, oder versuchen Sie es später erneut.',
  'Where do the links come from?': 'Woher kommen die Links?',
  'Other services': 'Andere Dienste',
  'Drop a file here, or choose one': 'Datei hier ablegen oder auswählen',
  'Columns, in any order, all optional. If a path is empty, the service generates one. Times are ISO 8601, data is JSON. Columns with other names are ignored; the check lists them.':
    'Spalten in beliebiger Reihenfolge, alle optional. Einen leeren Pfad wählt der Dienst; Zeiten sind ISO 8601, Daten sind JSON. Spalten mit anderen Namen entfallen, worauf die Prüfung hinweist.',
  'Example file': 'Beispieldatei',
  'To read links over the API of a service, the command needs your key for that service. The key stays on your server: run the command there. Without {option} the command creates the links.':
    'Für Dienste, die über ihre API gelesen werden, brauchen Sie einen Schlüssel, der auf Ihrem Server bleibt: Führen Sie den Befehl dort aus. Ohne {option} werden die Links angelegt.',
  'Copy the command for {title}': 'Befehl für {title} kopieren',
  'The file has no links.': 'Die Datei enthält keine Links.',
  'The file is empty.': 'Die Datei ist leer.',
  'The file is compressed, or a spreadsheet. Unpack it, or save it as CSV, and choose that file.':
    'Die Datei ist komprimiert oder eine Tabelle eines Büroprogramms. Entpacken Sie sie, oder speichern Sie sie als CSV, und wählen Sie die neue Datei aus.',
  'The file is a JSON array. Save it as CSV, or write one object per line, and choose that file.':
    'Die Datei ist ein JSON-Array. Speichern Sie sie als CSV, oder schreiben Sie ein Objekt je Zeile, und wählen Sie die neue Datei aus.',
  'The file is not UTF-8 text. Save it as UTF-8 and choose it again.':
    'Die Datei ist kein Text in UTF-8. Speichern Sie sie in dieser Kodierung, und wählen Sie sie erneut aus.',
  'The column "{column}" is in the file twice.': 'Die Spalte „{column}“ kommt in der Datei doppelt vor.',
  'The file is not CSV: see line {line}.': 'Die Datei ist kein CSV: siehe Zeile {line}.',
  'The file is not CSV.': 'Die Datei ist kein CSV.',
  'Line {line} of the file is not JSON.': 'Zeile {line} der Datei ist kein JSON.',
  'The file is larger than {megabytes} MB. Split it, or use the command line, which accepts any size.':
    'Die Datei ist größer als {megabytes} MB. Teilen Sie sie auf, oder verwenden Sie die Kommandozeile, die jede Größe verarbeitet.',
  'The browser ran out of memory while reading the file. Split it.':
    'Dem Browser ist bei dieser Datei der Speicher ausgegangen. Teilen Sie sie auf.',
  'The file cannot be read.': 'Die Datei lässt sich nicht lesen.',
  'The browser cannot read the file. It may have been moved or changed: choose it again.':
    'Der Browser kann die Datei nicht lesen. Vielleicht wurde sie verschoben oder geändert: Wählen Sie sie erneut aus.',
  'has a whole number that is too large to be represented exactly; write it as a text':
    'enthält eine ganze Zahl, die sich nicht genau speichern lässt; schreiben Sie sie als Text',
  'Source and file': 'Quelle und Datei',
  'The file contains further hosts after its first rows. Choose hosts for them too, and check the file again.':
    'Die Datei nennt mehr Hosts als ihre ersten Zeilen. Wählen Sie auch für diese, und prüfen Sie sie noch einmal.',
  'Hosts and collisions': 'Hosts und Konflikte',
  Check: 'Prüfung',
  Import: 'Import',
  Report: 'Bericht',
  'Import links': 'Links importieren',
  'Links keep their paths, tags and times of creation. Every file is checked first: no link is created before you confirm.':
    'Links behalten Pfade, Schlagwörter und Erstellungszeit. Jede Datei wird zuerst geprüft: Vor Ihrer Bestätigung wird kein Link angelegt.',
  'You are offline. The import continues when the connection is back.':
    'Sie sind offline. Sobald die Verbindung zurück ist, geht es von selbst weiter.',
  'The file was imported': 'Die Datei wurde importiert',
  '{count} links were created, {exists} already existed, {skipped} were not created.': [
    '{count} Link wurde angelegt, {exists} waren schon vorhanden, {skipped} wurden nicht angelegt.',
    '{count} Links wurden angelegt, {exists} waren schon vorhanden, {skipped} wurden nicht angelegt.',
  ],
  'Open links': 'Zu den Links',
  'Report as CSV': 'Bericht als CSV',
  'Report as NDJSON': 'Bericht als NDJSON',
  'Import another file': 'Weitere Datei importieren',
  'CSV or NDJSON': 'CSV oder NDJSON',
  'An export of this service, or a file with the same columns': 'Ein Export dieses Dienstes oder eine Datei mit denselben Spalten',
  Bitly: 'Bitly',
  'Its CSV export. Custom Bitlinks become aliases': 'Die CSV-Datei des Exports. Eigene Bitlinks werden zu Aliassen',
  'Firebase Dynamic Links': 'Firebase Dynamic Links',
  'Its CSV export, one file per domain': 'Die CSV-Datei des Exports, eine pro Domain',
  Dub: 'Dub',
  'Its CSV export': 'Die CSV-Datei des Exports',
  'Bitly, by its API': 'Bitly, über die API',
  Rebrandly: 'Rebrandly',
  'Dub, by its API': 'Dub, über die API',
  Shlink: 'Shlink',
  Kutt: 'Kutt',
  Branch: 'Branch',
  'To be created': 'Zu erstellen',
  'To be created with an alias': 'Mit Alias zu erstellen',
  'Created with an alias': 'Mit Alias erstellt',
  'Already exists': 'Schon vorhanden',
  'Path is taken': 'Pfad vergeben',
  Skipped: 'Übersprungen',
  'Cannot be created': 'Nicht möglich',
  Failed: 'Fehlgeschlagen',
  'Not imported': 'Nicht übernommen',
  'If visitors could not use a link because of such a field, the link is created disabled.':
    'Wenn Besucher einen Link wegen eines solchen Feldes nicht nutzen konnten, wird er deaktiviert angelegt.',
  '{count} rows': ['{count} Zeile', '{count} Zeilen'],
  'Rows that are not imported': 'Nicht angelegte Zeilen',
  Row: 'Zeile',
  Reason: 'Grund',
  'The first {shown} of {all}. The report has all of them.': 'Die ersten {shown} von {all}. Der Bericht enthält alle.',
  'Row {first} of the file has the same address.': 'Zeile {first} der Datei hat dieselbe Adresse.',
  'Row {first} of the file has the same path.': 'Zeile {first} der Datei hat denselben Pfad.',
  'Report it': 'Melden',
  'Keys are case-sensitive': 'Schlüssel unterscheiden Groß- und Kleinschreibung',
  'Keys that differ in case only are different links. Otherwise each link is found in lower case too.':
    'Schlüssel, die sich nur in der Schreibung unterscheiden, sind verschiedene Links. Sonst wird jeder Link auch in Kleinbuchstaben gefunden.',
  'The link is not created and counts as failed': 'Der Link wird nicht angelegt und gilt als fehlgeschlagen',
  'Skip it': 'Überspringen',
  'The link is not created and counts as skipped': 'Der Link wird nicht angelegt und gilt als übersprungen',
  'Give it an alias': 'Mit Alias anlegen',
  'The link gets another path, and its old address becomes an alias. This is not possible if the other link is shown on that host':
    'Der Link erhält einen anderen Pfad und seine alte Adresse als Alias, außer wenn der andere Link auf diesem Host gezeigt wird',
  'Check the file': 'Datei prüfen',
  'Choose another file': 'Andere Datei wählen',
  'The file contains no hosts. Its links work on every host of the environment.':
    'Die Datei nennt keine Hosts. Ihre Links sind auf jedem Host der Umgebung erreichbar.',
  Hosts: 'Hosts',
  'Paths that only an alias can have, such as those with a slash, work on the host that you choose.':
    'Pfade, die nur als Alias möglich sind, etwa solche mit Schrägstrich, sind auf dem gewählten Host erreichbar.',
  '{host} becomes': '{host} wird zu',
  'If the path of a link is taken': 'Wenn der Pfad eines Links vergeben ist',
  'Checking {name}': '{name} wird geprüft',
  'Importing {name}': '{name} wird importiert',
  '{done} of {rows} rows': '{done} von {rows} Zeilen',
  'Paused. Nothing is lost: you can continue here until you sign out, even after closing the page.':
    'Angehalten. Erledigtes bleibt erledigt: Sie können hier fortsetzen, auch nach dem Schließen der Seite, bis Sie sich abmelden.',
  'It continues where it stopped and creates no link twice.': 'Es geht an derselben Stelle weiter, und kein Link wird doppelt angelegt.',
  '{name} was checked': '{name} wurde geprüft',
  'No link can be created.': 'Kein Link kann angelegt werden.',
  '{count} links can be created.': ['{count} Link kann angelegt werden.', '{count} Links können angelegt werden.'],
  '{count} would be imported without some of their data.': [
    'Bei {count} ginge etwas verloren, das dieser Dienst nicht aufnehmen kann.',
    'Bei {count} ginge etwas verloren, das dieser Dienst nicht aufnehmen kann.',
  ],
  'Import {count} links': ['{count} Link importieren', '{count} Links importieren'],
  Back: 'Zurück',
  'The response does not match the request.': 'Die Antwort passt nicht zum Gesendeten.',

  // Campaigns
  'Links refer to a campaign by its key.': 'Links nennen eine Kampagne bei ihrem Schlüssel.',
  'Spring sale': 'Frühlingsangebot',
  Key: 'Schlüssel',
  'Letters, digits, - and _. It never changes.': 'Buchstaben, Ziffern, - und _. Er ändert sich nie.',
  'must be later than the start': 'muss nach dem Beginn liegen',
  'The key of a campaign never changes.': 'Der Schlüssel einer Kampagne ändert sich nie.',
  'UTM fields': 'UTM-Felder',
  'Links of the campaign add these fields to web destinations. A field that a link sets itself takes precedence.':
    'Felder, die ihre Links an Web-Ziele anhängen. Felder, die ein Link selbst setzt, gehen vor.',
  "In the project's time zone, {timeZone}. The campaign ends automatically at this time. Its links keep working.":
    'In der Zeitzone des Projekts, {timeZone}. Die Kampagne endet dann von selbst. Ihre Links funktionieren weiter.',
  Starts: 'Beginnt',
  Active: 'Aktiv',
  Ended: 'Beendet',
  Campaigns: 'Kampagnen',
  'UTM fields that many links share and that you change in one place.':
    'UTM-Felder, die viele Links gemeinsam nutzen und die Sie an einer Stelle ändern.',
  Export: 'Export',
  'New campaign': 'Neue Kampagne',
  'All campaigns. The files can be imported again with {command}.':
    'Alle Kampagnen. Die Dateien lassen sich mit {command} wieder importieren.',
  State: 'Status',
  'No campaign found': 'Keine passende Kampagne',
  'No campaign is in this state.': 'Keine Kampagne hat diesen Status.',
  'Start a campaign': 'Starten Sie eine Kampagne',
  'Set a source and a medium once. Every link of the campaign uses them and follows their changes.':
    'Legen Sie Quelle und Medium einmal fest. Alle Links der Kampagne verwenden sie und übernehmen Änderungen.',
  'no UTM fields': 'keine UTM-Felder',
  '{name} is active again.': '{name} läuft weiter.',
  '{name} has ended.': '{name} ist beendet.',
  Reactivate: 'Wieder aufnehmen',
  'End campaign': 'Kampagne beenden',
  'The campaign was changed. The change applies to all its links.': 'Die Kampagne wurde geändert, und mit ihr alle ihre Links.',
  'must be later than now, or empty': 'muss nach dem jetzigen Zeitpunkt liegen oder leer sein',
  'The campaign has ended at this time. To make it active again, enter a later time or none, and save.':
    'Zu diesem Zeitpunkt ist die Kampagne zu Ende gegangen. Um sie wieder zu aktivieren, geben Sie einen späteren oder keinen ein und speichern Sie.',
  'Links of the campaign': 'Links der Kampagne',
  'No links yet': 'Noch keine Links',
  'To add a link, choose the campaign when you create the link, or send {key} with it.':
    'Um einen Link hinzuzufügen, wählen Sie beim Erstellen die Kampagne, oder senden Sie {key} mit.',
  '{name} was created. Its key for links is "{key}".': '{name} wurde erstellt. Links nennen sie „{key}“.',
  'Create campaign': 'Kampagne erstellen',
};
