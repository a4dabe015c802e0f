import { buyersFromAnswers, buyerValue, isChosen } from '../../domain/buyer-choice.ts';
import type { ScreenProps } from './screen-props.ts';

/** The law firms to choose from (docs/specification.md#one-to-one-consent). None is preselected or required. */
export function BuyersField({ screen }: { readonly screen: ScreenProps }) {
  const { answers, values, texts } = screen;
  const { displayed_buyers, displayed_buyer_ids } = answers;
  const words = texts.fields.selected_buyers;
  return (
    <fieldset
      className="buyers"
      id="field-selected_buyers"
      data-field="selected_buyers"
      aria-describedby="hint-selected_buyers"
    >
      <legend>{words?.label}</legend>
      <p className="hint" id="hint-selected_buyers">
        {words?.hint}
      </p>
      {buyersFromAnswers(displayed_buyers, displayed_buyer_ids).map((buyer) => (
        <label className="buyer" key={buyerValue(buyer)}>
          <input
            type="checkbox"
            name="selected_buyers"
            value={buyerValue(buyer)}
            defaultChecked={isChosen(buyer, values.selected_buyers)}
          />
          <span>{buyer.name}</span>
        </label>
      ))}
    </fieldset>
  );
}
