import { type ComponentProps, useState } from 'react';
import type { Campaign } from '../../../../shared/contract/schemas/campaign.js';
import { text } from '../../language/text.js';
import { useAfterTyping } from '../../parts/after-typing.js';
import { Combobox } from '../../parts/combobox.js';
import { useRead } from '../../session/queries.js';

/** As many campaigns as a user looks through before typing another letter is less work. */
const OPTIONS_MAX = 25;
const SEARCH_CHARACTERS_MAX = 200;

/** The campaign with this key; null while it is unknown, and if there is none. */
export function useCampaign(key: string): Campaign | null {
  const found = useRead('GET /campaigns', { query: { key } }, { enabled: key !== '' });
  return (key === '' ? undefined : found.data?.data[0]) ?? null;
}

interface CampaignChoiceProps extends Pick<ComponentProps<typeof Combobox>, 'id' | 'disabled' | 'aria-invalid' | 'aria-describedby'> {
  /** Key of the chosen campaign; empty for none. */
  readonly value: string;
  /** The label of the choice of no campaign. */
  readonly none: string;
  readonly onChoose: (key: string) => void;
}

/** Chooses a campaign by a part of its name or key, from any number of campaigns. */
export function CampaignChoice({ value, none, onChoose, ...wiring }: CampaignChoiceProps) {
  const [typed, setTyped] = useState('');
  const words = typed.trim().slice(0, SEARCH_CHARACTERS_MAX);
  const search = useAfterTyping(words);
  const { data, error, isPending, isPlaceholderData } = useRead(
    'GET /campaigns',
    { query: { limit: OPTIONS_MAX, ...(search === '' ? {} : { search }) } },
    { keepsLast: true },
  );
  const campaigns = data?.data ?? [];
  // Shows the name at once, before the campaign is read by its key.
  const [picked, setPicked] = useState<Campaign | null>(null);
  const read = useCampaign(value);
  const chosen = read ?? (picked?.key === value ? picked : null);
  const choose = (key: string) => {
    setPicked(campaigns.find((campaign) => campaign.key === key) ?? null);
    onChoose(key);
  };
  const found = campaigns.map(({ key, name }) => ({ value: key, label: `${name} (${key})` }));
  const isLate = search !== words || isPending || isPlaceholderData;
  const note = () => {
    if (error !== null) return error.message;
    if (isLate) return text('Searching');
    if (found.length === 0) return words === '' ? null : text('Nothing matches');
    return data?.next_cursor == null ? null : text('There are more. Type a part of the name or key.');
  };
  return (
    <Combobox
      {...wiring}
      value={value}
      shown={value === '' ? none : chosen === null ? value : `${chosen.name} (${value})`}
      options={[...(words === '' ? [{ value: '', label: none }] : []), ...found]}
      note={note()}
      onType={setTyped}
      onChoose={choose}
    />
  );
}
