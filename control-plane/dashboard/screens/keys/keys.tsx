import { useState } from 'react';
import type { Scope } from '../../../../shared/contract/schemas/scopes.js';
import { rich } from '../../language/rich.js';
import { labelled, type Message, message, text, textOf } from '../../language/text.js';
import { StatusBadge } from '../../parts/badge.js';
import { CopyField } from '../../parts/copy.js';
import { Fact } from '../../parts/fact.js';
import { Card, Page } from '../../parts/page.js';
import { Segments } from '../../parts/segments.js';
import { Answered } from '../../parts/states.js';
import { environmentWord } from '../../session/environment-words.js';
import { useRead } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { KeyList, KINDS } from './key-list.js';

/** Every scope of the contract, and what it lets a key do. */
const SCOPES: Readonly<Record<Scope, Message>> = {
  'links:read': message('Read links, campaigns, domains, templates and settings'),
  'links:write': message('Create, change and delete them'),
  'analytics:read': message('Read statistics'),
  'webhooks:write': message('Read, create and change webhooks'),
};
const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

/** Lists the keys, and shows how to create others, which requires the command line and access to the database. */
export function Keys() {
  return (
    <Page
      title={text('API keys')}
      lead={text('A secret key is for your servers and this page. A publishable key is for apps and browsers.')}
    >
      <div className="stack">
        <OwnKey />
        <KeyList />
        <MakeKey />
      </div>
    </Page>
  );
}

function OwnKey() {
  const { connection } = useSignedIn();
  const key = useRead('GET /key', {});
  const { secretKey } = connection;
  return (
    <Card title={text('The key you are signed in with')}>
      <Answered read={key} lines={5}>
        {({ id, name, environment, scopes }) => (
          <dl className="facts">
            <Fact label={text('Name')}>{name}</Fact>
            <Fact label={text('Key')}>
              <code>
                {secretKey.slice(0, 8)}…{secretKey.slice(-4)}
              </code>
            </Fact>
            <Fact label={text('Id')}>
              <code>{id}</code>
            </Fact>
            <Fact label={text('Environment')}>{environmentWord(environment)}</Fact>
            <Fact label={text('Scopes')}>
              <ul className="scopes">
                {SCOPE_NAMES.map((scope) => (
                  <li key={scope} className="scope side-by-side">
                    <StatusBadge status={scopes.includes(scope) ? 'granted' : 'not granted'} />
                    <code>{scope}</code>
                    <small className="muted">{textOf(SCOPES[scope])}</small>
                  </li>
                ))}
              </ul>
            </Fact>
          </dl>
        )}
      </Answered>
    </Card>
  );
}

const KIND_CHOICES = [
  { value: 'secret', label: KINDS.secret },
  { value: 'publishable', label: KINDS.publishable },
] as const;
type Kind = (typeof KIND_CHOICES)[number]['value'];

/** Composes the command, because this page cannot run it. */
function MakeKey() {
  const { settings } = useSignedIn();
  const [kind, setKind] = useState<Kind>('secret');
  const [name, setName] = useState('backend');
  const [scopes, setScopes] = useState<readonly Scope[]>(SCOPE_NAMES);
  const all = scopes.length === SCOPE_NAMES.length;
  const command = [
    `linkd keys create --env ${settings.id} --name ${quoted(name.trim() || 'backend')}`,
    ...(kind === 'publishable' ? ['--kind publishable'] : all ? [] : [`--scope ${scopes.join(' ')}`]),
  ].join(' ');
  return (
    <Card title={text('Create a key')}>
      <div className="stack">
        <p className="muted">
          {rich(
            'Keys are created on the command line of the service, not over the API, so that a leaked key cannot create others. Run this command on the host of the service, with its {setting}. The key is shown only once.',
            { setting: <code>DATABASE_URL</code> },
          )}
        </p>
        <div className="field-row">
          <label className="field">
            <span className="field-name">{text('Name')}</span>
            <input value={name} maxLength={100} onChange={({ target }) => setName(target.value)} />
          </label>
          <div className="field">
            <span className="field-name">{text('Kind')}</span>
            <Segments label={text('Kind')} value={kind} choices={labelled(KIND_CHOICES)} onChange={setKind} />
          </div>
        </div>
        {kind === 'publishable' ? null : (
          <fieldset className="field">
            <legend>{text('Scopes')}</legend>
            <div className="checks">
              {SCOPE_NAMES.map((scope) => (
                <label key={scope} className="check">
                  <input
                    type="checkbox"
                    checked={scopes.includes(scope)}
                    onChange={({ target }) =>
                      setScopes(SCOPE_NAMES.filter((each) => (each === scope ? target.checked : scopes.includes(each))))
                    }
                  />
                  <span>
                    <code>{scope}</code>
                    <small>{textOf(SCOPES[scope])}</small>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        )}
        {kind === 'secret' && scopes.length === 0 ? (
          <p className="notice notice-warn">{text('Choose at least one scope. Without one, the key gets all scopes.')}</p>
        ) : (
          <CopyField text={command} label={text('Copy the command')} />
        )}
      </div>
    </Card>
  );
}

/** Quotes the text so that a POSIX shell treats it as one word. */
function quoted(word: string): string {
  return /^[\w.:/-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
