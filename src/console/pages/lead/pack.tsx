import { useMutation } from '@tanstack/react-query';
import type { LeadAnswer } from '../../../contract/console/leads.ts';
import { type ApiError, apiFile, useMay } from '../../api.ts';
import { Button } from '../../parts/controls.tsx';
import { Card } from '../../parts/page.tsx';
import { saveFile } from '../leads/export-stream.ts';
import type { Opening } from './opened.ts';

type PackProps = {
  readonly data: LeadAnswer;
  readonly path: string;
  readonly opening: Opening;
};

/** Says whether the consent can be proven now, and makes the pack that proves it. The lead must be opened first. */
export function Pack({ data, path, opening }: PackProps) {
  const mayOpen = useMay('operator');
  const { reason } = opening;
  const pack = useMutation<void, ApiError, string | undefined>({
    mutationFn: async (recipient) => {
      const body = { reason, ...(recipient !== undefined && { recipient }) };
      const { file, name } = await apiFile(`${path}/evidence`, body);
      saveFile(file, name);
    },
    gcTime: 0,
  });
  if (data.evidence === undefined) return null;
  const { text, isReady, recipients } = data.evidence;
  return (
    <Card title="Evidence" className="lead-card">
      <div className="lead-pack">
        <p>{text}</p>
        {isReady && mayOpen && opening.answer === undefined && (
          <p className="quiet">Open the contact details to download an evidence pack.</p>
        )}
        {isReady && mayOpen && opening.answer !== undefined && (
          <div className="bytes-ask">
            {[undefined, ...recipients].map((recipient) => (
              <Button
                icon="download"
                key={recipient ?? ''}
                onPress={() => pack.mutate(recipient)}
                isPending={pack.isPending && pack.variables === recipient}
              >
                {recipient === undefined ? 'Pack for us' : `Pack for ${recipient}`}
              </Button>
            ))}
          </div>
        )}
        {pack.error && (
          <p className="dialog-error" role="alert">
            {pack.error.detail}
          </p>
        )}
      </div>
    </Card>
  );
}
