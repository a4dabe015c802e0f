import { useParams } from '@tanstack/react-router';
import type { LeadAnswer } from '../../../contract/console/leads.ts';
import { useApi } from '../../api.ts';
import { leadName } from '../../format.ts';
import { Answer, Page, Skeleton } from '../../parts/page.tsx';
import { Actions } from './actions.tsx';
import { Deliveries } from './deliveries.tsx';
import { merged, type Opening, useOpened } from './opened.ts';
import { Pack } from './pack.tsx';
import { Person } from './person.tsx';
import { TimeLine } from './time-line.tsx';
import './lead.css';
import './story.css';

/** Tells one lead's whole story, why it is or is not delivered, and what can be done. */
export default function LeadPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  // Another lead is another page: nothing opened of the one before stays.
  return <LeadOf key={id} id={id} />;
}

function LeadOf({ id }: { readonly id: string }) {
  const path = `/api/leads/${encodeURIComponent(id)}`;
  const query = useApi<LeadAnswer>(path);
  const opening = useOpened(path);
  const data = query.data && merged(query.data, opening.answer);
  return (
    <Page title={`Lead ${leadName(id)}`} summary={data?.outcome}>
      <Answer query={query} skeleton={<LeadSkeleton />}>
        {(fresh) => <Lead data={merged(fresh, opening.answer)} path={path} opening={opening} />}
      </Answer>
    </Page>
  );
}

type LeadProps = {
  readonly data: LeadAnswer;
  readonly path: string;
  readonly opening: Opening;
};

function Lead({ data, path, opening }: LeadProps) {
  return (
    <div className="lead">
      <div className="lead-who">
        <Person data={data} opening={opening} />
      </div>
      <div className="lead-story">
        <TimeLine story={data.story} path={path} opening={opening} />
      </div>
      <div className="lead-side">
        <Deliveries deliveries={data.deliveries} path={path} />
        <Pack data={data} path={path} opening={opening} />
        <Actions data={data} path={path} />
      </div>
    </div>
  );
}

/** As the page will be, so nothing moves when the answer arrives. */
function LeadSkeleton() {
  return (
    <div className="lead">
      <div className="lead-who">
        <div className="card lead-empty">
          <Skeleton rows={9} />
        </div>
      </div>
      <div className="lead-story">
        <div className="card lead-empty">
          <Skeleton rows={14} />
        </div>
      </div>
      <div className="lead-side">
        <div className="card lead-empty">
          <Skeleton rows={6} />
        </div>
      </div>
    </div>
  );
}
