import { Dialog, DialogTrigger, Popover } from 'react-aria-components';
import { Button } from '../../parts/controls.tsx';
import { columnsOf, defaultColumns, leadColumns } from './columns.tsx';

type ColumnsMenuProps = {
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
};

/** Chooses the columns of the list. One always stays. */
export function ColumnsMenu({ ids, onChange }: ColumnsMenuProps) {
  const shown = columnsOf(ids).map(({ id }) => id);
  const toggle = (id: string) => {
    const next = shown.includes(id) ? shown.filter((each) => each !== id) : [...shown, id];
    if (next.length > 0) onChange(next);
  };
  return (
    <DialogTrigger>
      <Button>Columns</Button>
      <Popover className="popover" offset={4} placement="bottom end">
        <Dialog className="leads-picker leads-columns" aria-label="Columns">
          {leadColumns.map(({ id, header }) => (
            <label key={id} className="option">
              {header}
              <input type="checkbox" checked={shown.includes(id)} onChange={() => toggle(id)} />
            </label>
          ))}
          <button type="button" className="option" onClick={() => onChange(defaultColumns)}>
            <span className="quiet">Show the usual columns</span>
          </button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
