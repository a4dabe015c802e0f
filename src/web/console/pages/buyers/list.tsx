import { Card, Empty } from '../../parts/page.tsx';

/** Lists the buyers with their terms. */
export function BuyerList() {
  return (
    <Card title="Buyers">
      <Empty>
        No destination has a buyer’s terms yet, so each destination gets every lead that it takes.
      </Empty>
    </Card>
  );
}
