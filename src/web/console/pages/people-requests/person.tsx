import { type ReactNode, useState } from 'react';
import type { PersonReceipt } from '../../../../model/messages/console/people-requests.ts';
import { LeadLink } from '../../parts/address.tsx';
import { Button, Form, TextInput } from '../../parts/controls.tsx';
import { Ago } from '../../parts/values.tsx';

type PersonFormProps = {
  readonly description: string;
  readonly submitLabel: string;
  readonly isPending: boolean;
  readonly onSubmit: (person: string) => void;
  /** Called when the operator changes the input. */
  readonly onChange: () => void;
  readonly children: ReactNode;
};

/** A form for an e-mail address, a phone number or a lead id. */
export function PersonForm(props: PersonFormProps) {
  const [person, setPerson] = useState('');
  return (
    <Form
      className="stack"
      isPending={props.isPending}
      onSubmit={() => {
        if (person.trim() !== '') props.onSubmit(person);
      }}
    >
      <TextInput
        label="E-mail address, phone number or lead id"
        value={person}
        onChange={(text) => {
          setPerson(text);
          props.onChange();
        }}
        description={props.description}
      />
      <div className="row fields">
        {props.children}
        <Button type="submit" tone="primary" isPending={props.isPending}>
          {props.submitLabel}
        </Button>
      </div>
    </Form>
  );
}

/** Lists the recipients of a person's data. */
export function Receipts({ receipts }: { readonly receipts: readonly PersonReceipt[] }) {
  const personal = receipts.filter(({ isPersonal }) => isPersonal);
  const others = new Set(receipts.map(({ destination }) => destination));
  for (const { destination } of personal) others.delete(destination);
  return (
    <div>
      <h3>Who must be informed</h3>
      {personal.length === 0 && <p className="quiet">Nobody received personal data.</p>}
      <ul>
        {personal.map(({ destination, leadId, text, at }) => (
          <li key={`${destination} ${leadId} ${at}`}>
            <strong>{destination}</strong> {text} <Ago at={at} /> · <LeadLink id={leadId} />
          </li>
        ))}
      </ul>
      {others.size > 0 && (
        <p className="quiet">Received only ids or a zip code: {[...others].join(', ')}.</p>
      )}
    </div>
  );
}
