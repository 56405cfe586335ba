import { useDraftForm } from '../../forms/draft-form.js';
import { Form } from '../../forms/form.js';
import { text } from '../../language/text.js';
import { useLeave } from '../../parts/leave.js';
import { Page } from '../../parts/page.js';
import { toast } from '../../parts/toasts.js';
import { useWrite } from '../../session/queries.js';
import { useSignedIn } from '../../session/signed-in.js';
import { CampaignFields } from './campaign-fields.js';
import { campaignBody, campaignValues } from './campaign-values.js';

export function NewCampaign() {
  const navigate = useLeave();
  const { timeZone } = useSignedIn();
  const create = useWrite('POST /campaigns', { outdates: ['/campaigns'] });
  const form = useDraftForm({
    name: 'campaign/new',
    initial: campaignValues(null, timeZone),
    submit: async (values) => {
      const body = { ...campaignBody(values, timeZone), key: String(values['/key']).trim() };
      const campaign = await create.mutateAsync({ body });
      toast(text('{name} was created. Its key for links is "{key}".', { name: campaign.name, key: campaign.key }));
      navigate(`/campaigns/${campaign.id}`);
    },
  });
  return (
    <Page title={text('New campaign')} back={{ to: '/campaigns', label: text('Campaigns') }}>
      <Form form={form} submit={text('Create campaign')} onCancel={() => navigate('/campaigns')} bar>
        <CampaignFields isNew />
      </Form>
    </Page>
  );
}
