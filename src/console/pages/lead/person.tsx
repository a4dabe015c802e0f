import { type ReactNode, useState } from 'react';
import { disqualifications } from '../../../contract/console/disqualifications.ts';
import type { LeadAnswer } from '../../../contract/console/leads.ts';
import { openReasons } from '../../../contract/console/people.ts';
import { useMay } from '../../api.ts';
import { leadName } from '../../format.ts';
import { Button } from '../../parts/controls.tsx';
import { ActionDialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Go } from '../../parts/link.tsx';
import { Card } from '../../parts/page.tsx';
import { Ago, Code, StateBadge } from '../../parts/values.tsx';
import { CopyButton } from './copy-button.tsx';
import type { Opening } from './opened.ts';
import { Value } from './value.tsx';
import { reasonItems } from './words.ts';

type PersonProps = { readonly data: LeadAnswer; readonly opening: Opening };

/** Shows who the lead is about, its state and its facts. Contact details are masked until they are opened. */
export function Person({ data, opening }: PersonProps) {
  const { lead, notes, isSuppressed } = data;
  return (
    <>
      <Card className="lead-card">
        <div className="lead-name">
          <p>
            <bdi>{lead.name || (lead.state === 'erased' ? 'Nobody any more' : 'No name')}</bdi>
          </p>
          <div className="lead-marks">
            <StateBadge state={lead.state} />
            {lead.isTest && <span className="lead-mark">Test</span>}
            {isSuppressed && (
              <span className="lead-mark" data-tone="warn">
                Do not contact
              </span>
            )}
          </div>
        </div>
        <dl className="lead-facts">
          <Fact label="Phone">{lead.phone && <bdi>{lead.phone}</bdi>}</Fact>
          <Fact label="E-mail">{lead.email && <bdi>{lead.email}</bdi>}</Fact>
          <Fact label="State">{lead.usState}</Fact>
        </dl>
        <Contact data={data} opening={opening} />
      </Card>
      {notes.length > 0 && (
        <ul className="lead-notes">
          {notes.map((note) => (
            <li key={note}>
              <Icon name="alert" />
              <span>{note}</span>
            </li>
          ))}
        </ul>
      )}
      <Facts data={data} />
      <Others data={data} />
    </>
  );
}

/** Links the other leads of this person. */
function Others({ data: { others } }: { readonly data: LeadAnswer }) {
  if (others.length === 0) return null;
  return (
    <Card title="Same person" className="lead-card">
      <ul className="lead-others">
        {others.map(({ id, receivedAt, state, sold }) => (
          <li key={id}>
            <Go to={`/leads/${id}`} className="text-link">
              {leadName(id)}…
            </Go>{' '}
            <StateBadge state={state} /> <Ago at={receivedAt} />
            {sold.length > 0 && <span className="quiet"> at {sold.join(', ')}</span>}
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Facts({ data: { lead, fields } }: { readonly data: LeadAnswer }) {
  return (
    <Card title="Facts" className="lead-card">
      <dl className="lead-facts">
        <Fact label="Received">
          <Ago at={lead.receivedAt} />
        </Fact>
        <Fact label="Qualified">
          {lead.qualified ? 'Yes' : `No: ${disqualifications[lead.reason]?.clause ?? lead.reason}`}
        </Fact>
        <Fact label="Survey">
          <Go to={`/leads?survey=${encodeURIComponent(lead.survey)}`} className="text-link">
            {lead.survey}
          </Go>
        </Fact>
        <Fact label="Language">{lead.language}</Fact>
        <Fact label="Source">{lead.source}</Fact>
        <Fact label="Affiliate">{lead.affiliate}</Fact>
        <Fact label="Variants">{lead.variants}</Fact>
        <Fact label="Revision">{lead.revision}</Fact>
      </dl>
      <p className="lead-id">
        <span className="quiet">Lead id</span>
        <span title={lead.id}>
          <Code>{leadName(lead.id)}…</Code>
        </span>
        <CopyButton text={lead.id} label="Copy the whole id" />
      </p>
      {fields.length > 0 && (
        <details className="lead-fields">
          <summary>All fields ({fields.length})</summary>
          <dl>
            {fields.map(({ name, value, isPersonal }) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>
                  <Value text={value} isMasked={isPersonal && value === '•••'} />
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Card>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  if (children === '' || children === undefined || children === null) return null;
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Opens the contact details for a reason, and closes them again. */
function Contact({ data, opening }: PersonProps) {
  const mayOpen = useMay('operator');
  const [isAsking, setIsAsking] = useState(false);
  if (!mayOpen || data.lead.state === 'erased') return null;
  return (
    <div className="lead-open">
      {data.isOpened ? (
        <>
          <Button onPress={opening.close}>Hide contact details</Button>
          <p className="quiet">The opening is in the audit log.</p>
        </>
      ) : (
        <Button icon="eye" onPress={() => setIsAsking(true)}>
          Open contact details
        </Button>
      )}
      <ActionDialog
        title="Open contact details"
        means="Shows everything that this person said, and what was sent to buyers. Your name, the time and the reason go to the audit log."
        reasons={reasonItems(openReasons)}
        confirmLabel="Open"
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        onConfirm={opening.open}
      />
    </div>
  );
}
