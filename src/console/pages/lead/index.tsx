import { useParams } from '@tanstack/react-router';
import type { LeadAnswer } from '../../../contract/console/leads.ts';
import { useApi } from '../../api.ts';
import { leadName } from '../../format.ts';
import { Page, Panel } from '../../parts/page.tsx';
import { merged, useOpened } from './opened.ts';
import { Person } from './person.tsx';
import { Side } from './side.tsx';
import { TimeLine } from './time-line.tsx';
import './story.css';

/** Tells one lead's whole story, why it is or is not delivered, and what can be done. */
export default function LeadPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  // Another lead is another page: nothing opened of the one before stays.
  return <Lead key={id} id={id} />;
}

function Lead({ id }: { readonly id: string }) {
  const path = `/api/leads/${encodeURIComponent(id)}`;
  const query = useApi<LeadAnswer>(path);
  const opening = useOpened(path);
  const data = query.data && merged(query.data, opening.answer);
  return (
    <Page title={`Lead ${leadName(id)}`} summary={data?.outcome}>
      {(!data || query.error) && (
        <Panel query={query} rows={14}>
          {() => null}
        </Panel>
      )}
      {data && (
        <div className="beside lead">
          <div>
            <Person data={data} opening={opening} />
          </div>
          <TimeLine story={data.story} path={path} opening={opening} />
          <div>
            <Side data={data} path={path} opening={opening} />
          </div>
        </div>
      )}
    </Page>
  );
}
