import { type ReactNode, useEffect, useRef, useState } from 'react';
import { rowsOf, withoutRow, withRow } from '../../forms/field-rows.js';
import { TextArea, TextField } from '../../forms/fields.js';
import { FieldGroup } from '../../forms/form.js';
import { useForm } from '../../forms/form-context.js';
import { text } from '../../language/text.js';
import { Button } from '../../parts/button.js';
import { Icon } from '../../parts/icon.js';
import { NEW_ANDROID_APP, NEW_IOS_APP } from './settings-values.js';

export function IosApps() {
  return (
    <FieldGroup
      title={text('iOS apps')}
      help={text('These apps open links directly. From these entries the service creates the file that Apple requests.')}
    >
      <AppRows list="/ios_apps" fresh={NEW_IOS_APP} name={text('iOS app')}>
        {(row) => (
          <div className="field-row">
            <TextField
              field={`${row}/bundle_id`}
              label={text('Bundle ID')}
              placeholder="com.example.shop"
              help={text('The bundle ID, as shown in Xcode.')}
              monospace
            />
            <TextField
              field={`${row}/team_id`}
              label={text('Team ID')}
              placeholder="A1B2C3D4E5"
              help={text('Ten capital letters and digits.')}
              monospace
            />
            <TextField field={`${row}/app_store_url`} label={text('App Store URL')} placeholder="https://apps.apple.com/app/id1" />
            <TextField field={`${row}/uri_scheme`} label={text('Custom scheme')} placeholder="shop" monospace />
          </div>
        )}
      </AppRows>
    </FieldGroup>
  );
}

export function AndroidApps() {
  return (
    <FieldGroup title={text('Android apps')} help={text('From these entries the service creates the file that Android requests.')}>
      <AppRows list="/android_apps" fresh={NEW_ANDROID_APP} name={text('Android app')}>
        {(row) => (
          <>
            <div className="field-row">
              <TextField
                field={`${row}/package_name`}
                label={text('Package name')}
                placeholder="com.example.shop"
                help={text('The application ID, as shown in the Play Console.')}
                monospace
              />
              <TextField field={`${row}/uri_scheme`} label={text('Custom scheme')} placeholder="shop" monospace />
              <TextField
                field={`${row}/play_store_url`}
                label={text('Play Store URL')}
                placeholder="https://play.google.com/store/apps/details?id=…"
              />
            </div>
            <TextArea
              monospace
              field={`${row}/sha256_cert_fingerprints`}
              label={text('SHA-256 fingerprints of the signing certificates')}
              rows={2}
              placeholder="14:6D:E9:…"
              help={text('One per line: 32 bytes in hexadecimal, separated by colons.')}
            />
          </>
        )}
      </AppRows>
    </FieldGroup>
  );
}

interface AppRowsProps {
  readonly list: string;
  readonly fresh: Readonly<Record<string, string>>;
  readonly name: string;
  readonly children: (row: string) => ReactNode;
}

function AppRows({ list, fresh, name, children }: AppRowsProps) {
  const { values, replace } = useForm();
  const rows = rowsOf(values, list);
  const element = useRef<HTMLDivElement>(null);
  const [added, setAdded] = useState(0);
  // The fields of a new app appear in front of the button. A user who does not see this would look for them after it.
  useEffect(() => {
    if (added > 0) element.current?.querySelector<HTMLElement>('.app-row:last-of-type input')?.focus();
  }, [added]);
  const add = () => {
    replace(withRow(values, list, fresh));
    setAdded((times) => times + 1);
  };
  return (
    <div className="stack" ref={element}>
      {rows.map((place) => (
        <fieldset key={place} className="stack app-row">
          <legend className="quiet">
            {name} {place + 1}
          </legend>
          {children(`${list}/${place}`)}
          <Button
            needs="links:write"
            variant="danger"
            label={text('Remove {name} {place}', { name, place: place + 1 })}
            onClick={() => replace(withoutRow(values, list, place))}
          >
            {text('Remove')}
          </Button>
        </fieldset>
      ))}
      <div>
        <Button needs="links:write" onClick={add}>
          <Icon name="plus" /> {text('Add {name}', { name })}
        </Button>
      </div>
    </div>
  );
}
