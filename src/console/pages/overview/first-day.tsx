import { Go } from '../../parts/link.tsx';
import { Card } from '../../parts/page.tsx';

/** Says what to do while there are no visits, and that the page fills itself. */
export function FirstDay() {
  return (
    <Card className="first-day">
      <h2>No visits yet in these days</h2>
      <p>Open a survey as a visitor would. It appears here within seconds.</p>
      <ol>
        <li>
          <Go to="/surveys">Pick a survey</Go>
          <span>
            Each has a link and a QR code. A test link marks the lead, and tests never count.
          </span>
        </li>
        <li>
          <strong>Answer its questions</strong>
          <span>
            Visits, first answers and completed surveys are counted by the hour they began.
          </span>
        </li>
        <li>
          <Go to="/deliveries">See where its lead goes</Go>
          <span>Each destination shows what it takes, and which settings it needs.</span>
        </li>
      </ol>
      <p className="first-day-wait" role="status">
        Waiting for the first visit
      </p>
    </Card>
  );
}
