import { Card, Empty } from '../../parts/page.tsx';

/** Compares the statements of buyers with our ledger. */
export function Statements() {
  return (
    <Card title="Statements">
      <Empty>No statement was compared yet.</Empty>
    </Card>
  );
}
