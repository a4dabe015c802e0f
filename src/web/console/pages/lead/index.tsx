import { useParams } from '@tanstack/react-router';
import { callWishNames } from '../../../../model/fields/asked-fields.ts';
import type { LeadAnswer } from '../../../../model/messages/console/leads.ts';
import { disqualifications, openReasons } from '../../../../model/messages/vocabulary.ts';
import { addressOf, polled, useApi, useMay } from '../../api.ts';
import { leadName } from '../../format.ts';
import { Go, LeadLink } from '../../parts/address.tsx';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Card, Page, Panel } from '../../parts/page.tsx';
import { Ago, Code, Facts, StateBadge } from '../../parts/values.tsx';
import { reasonItems } from '../../parts/words.ts';
import { Value } from './evidence.tsx';
import { merged, type Opening, useOpened } from './opened.ts';
import { Side } from './side.tsx';
import { Timeline } from './timeline.tsx';
import './lead.css';

/** Shows one lead, with its timeline and the possible actions. */
export default function LeadPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  // The key resets the component for each lead, so that no data of another lead stays visible.
  return <Lead key={id} id={id} />;
}

function Lead({ id }: { readonly id: string }) {
  const path = `/api/leads/${encodeURIComponent(id)}`;
  const query = useApi<LeadAnswer>(path, {}, polled);
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
          <Timeline entries={data.story} path={path} opening={opening} />
          <div>
            <Side data={data} path={path} opening={opening} />
          </div>
        </div>
      )}
    </Page>
  );
}

type PersonProps = { readonly data: LeadAnswer; readonly opening: Opening };

function Person({ data, opening }: PersonProps) {
  const { lead, notes, isSuppressed, others } = data;
  const mayOpen = useMay('operator') && lead.state !== 'erased';
  return (
    <>
      <Card>
        <div className="body stack">
          <p className="figure">
            <bdi>{lead.name || (lead.state === 'erased' ? 'Erased' : 'No name')}</bdi>
          </p>
          <div className="row">
            <StateBadge state={lead.state} />
            {lead.isTest && <span className="mark">Test</span>}
            {isSuppressed && (
              <span className="mark" data-tone="warning">
                Do not contact
              </span>
            )}
          </div>
          <Facts
            of={{
              Phone: lead.phone && <bdi>{lead.phone}</bdi>,
              'E-mail': lead.email && <bdi>{lead.email}</bdi>,
              State: lead.usState,
            }}
          />
          {mayOpen && <Contact isOpened={data.isOpened} opening={opening} />}
        </div>
      </Card>
      {notes.map((note) => (
        <p className="warning small" key={note}>
          {note}
        </p>
      ))}
      <LeadFacts data={data} />
      {others.length > 0 && (
        <Card title="Same person">
          <ul className="body stack small">
            {others.map(({ id, receivedAt, state, sold }) => (
              <li key={id}>
                <LeadLink id={id} /> <StateBadge state={state} /> <Ago at={receivedAt} />
                {sold.length > 0 && <span className="quiet"> at {sold.join(', ')}</span>}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

function LeadFacts({ data: { lead, fields, isOpened } }: Pick<PersonProps, 'data'>) {
  const wishes = callWishNames.map((wish) => fields.find(({ name }) => name === wish)?.value);
  return (
    <Card title="Facts">
      <div className="body stack">
        <Facts
          of={{
            Received: <Ago at={lead.receivedAt} />,
            Qualified: lead.qualified
              ? 'Yes'
              : `No: ${disqualifications[lead.reason] ?? lead.reason}`,
            Survey: <Go to={addressOf('/leads', { survey: lead.survey })}>{lead.survey}</Go>,
            Language: lead.language,
            'Wished call': wishes.filter(Boolean).join(', '),
            Source: lead.source,
            Affiliate: lead.affiliate,
            Variants: lead.variants,
            Revision: lead.revision,
            'Lead id': <Code>{lead.id}</Code>,
          }}
        />
        {fields.length > 0 && (
          <details className="small">
            <summary>All fields ({fields.length})</summary>
            <Facts
              isWide
              of={Object.fromEntries(
                fields.map(({ name, value, isPersonal }) => [
                  name,
                  <Value key={name} text={value} isMasked={isPersonal && !isOpened} />,
                ]),
              )}
            />
          </details>
        )}
      </div>
    </Card>
  );
}

function Contact({ isOpened, opening }: { readonly isOpened: boolean; readonly opening: Opening }) {
  if (isOpened) return <Button onPress={opening.close}>Hide contact details</Button>;
  return (
    <ActionDialog
      title="Open contact details"
      means="Shows every answer of this person, and the bytes that buyers received. Your name, the time and the reason go to the audit log."
      reasons={reasonItems(openReasons)}
      confirmLabel="Open"
      trigger={<Button icon="eye">Open contact details</Button>}
      onConfirm={opening.open}
    />
  );
}
