import { Card, Empty } from '../../parts/page.tsx';

/** Lists the leads that buyers want to return. */
export function Returns() {
  return (
    <Card title="Waiting for your decision">
      <Empty>No buyer has returned a lead.</Empty>
    </Card>
  );
}
