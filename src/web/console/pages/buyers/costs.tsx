import { Card, Empty } from '../../parts/page.tsx';

/** Shows and imports what leads cost. */
export function Costs() {
  return (
    <Card title="Costs">
      <Empty>No cost is recorded yet.</Empty>
    </Card>
  );
}
