import { useState } from 'react';
import { notedSources, REVOCATION_SOURCES } from '../../../model/messages/vocabulary.ts';
import { capital } from '../format.ts';
import { Select, TextInput } from './controls.tsx';

const items = notedSources.map((id) => ({ id, label: capital(REVOCATION_SOURCES[id]) }));

/** Returns the fields for how and when a person revoked consent, and their value for a request. */
export function useRevoked() {
  const [source, setSource] = useState('');
  const [at, setAt] = useState('');
  const value = { ...(source && { source }), ...(at && { revokedAt: new Date(at).toISOString() }) };
  const fields = (
    <>
      <Select
        label="How they said it"
        isLabelShown
        items={[{ id: '', label: 'Not noted' }, ...items]}
        value={source}
        onChange={setSource}
      />
      <TextInput label="When, if earlier" type="datetime-local" value={at} onChange={setAt} />
    </>
  );
  return { value, fields };
}
