import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Dialog as AriaDialog, DialogTrigger, Popover } from 'react-aria-components';
import type { LeadFilter, NewView, SavedView } from '../../../contract/console/leads.ts';
import { apiPost, useApi, useMay, useMe } from '../../api.ts';
import { Button, IconButton, Switch, TextInput } from '../../parts/controls.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Skeleton } from '../../parts/page.tsx';
import { isSameFilter, lastingFilter } from './filters.ts';

type ViewsMenuProps = {
  readonly filter: LeadFilter;
  readonly columns: readonly string[];
  readonly onChoose: (view: SavedView) => void;
};

const VIEWS = '/api/views';

/** Opens, saves and deletes views: a filter with columns under a name. */
export function ViewsMenu({ filter, columns, onChoose }: ViewsMenuProps) {
  const views = useApi<readonly SavedView[]>(VIEWS);
  const [isSaving, setIsSaving] = useState(false);
  const lasting = lastingFilter(filter);
  const now = views.data?.find((view) => isSameFilter(view.filter, lasting));
  const isFiltered = Object.keys(lasting).length > 0;
  return (
    <>
      <DialogTrigger>
        <Button>
          {now !== undefined && isFiltered ? now.name : 'Views'}
          <Icon name="down" />
        </Button>
        <Popover className="popover" offset={4} placement="bottom end">
          <AriaDialog className="leads-picker leads-views" aria-label="Views">
            {({ close }) => (
              <>
                {views.isPending && <Skeleton rows={3} />}
                {views.error && <p className="leads-picker-note">{views.error.detail}</p>}
                {views.data?.length === 0 && (
                  <p className="leads-picker-note">
                    No views yet. Filter the list, then save the filter under a name.
                  </p>
                )}
                <ViewList
                  views={views.data ?? []}
                  onChoose={(view) => {
                    close();
                    onChoose(view);
                  }}
                />
                <div className="leads-picker-foot">
                  <Button
                    onPress={() => {
                      close();
                      setIsSaving(true);
                    }}
                  >
                    Save this list as a view…
                  </Button>
                </div>
              </>
            )}
          </AriaDialog>
        </Popover>
      </DialogTrigger>
      <Dialog title="Save as a view" isOpen={isSaving} onClose={() => setIsSaving(false)}>
        <SaveForm
          view={{ filter: lasting, columns }}
          known={views.data ?? []}
          onSaved={() => setIsSaving(false)}
        />
      </Dialog>
    </>
  );
}

type ViewListProps = {
  readonly views: readonly SavedView[];
  readonly onChoose: (view: SavedView) => void;
};

function ViewList({ views, onChoose }: ViewListProps) {
  const client = useQueryClient();
  const me = useMe();
  const isAdmin = useMay('admin');
  const [error, setError] = useState('');
  const remove = async (view: SavedView) => {
    try {
      await apiPost(`${VIEWS}/${view.id}/delete`);
      await client.invalidateQueries({ queryKey: [VIEWS] });
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <>
      <ul className="options">
        {views.map((view) => {
          const isOwn = view.owner === me?.email;
          return (
            <li key={view.id} className="leads-view">
              <button type="button" className="option" onClick={() => onChoose(view)}>
                <span>{view.name}</span>
                <span className="quiet">
                  {isOwn ? (view.isShared ? 'shared' : '') : view.owner}
                </span>
              </button>
              {(isOwn || isAdmin) && (
                <IconButton
                  label={`Delete the view ${view.name}`}
                  onPress={() => void remove(view)}
                >
                  <Icon name="close" />
                </IconButton>
              )}
            </li>
          );
        })}
      </ul>
      {error !== '' && (
        <p className="leads-picker-note" role="alert">
          {error}
        </p>
      )}
    </>
  );
}

type SaveFormProps = {
  readonly view: Pick<NewView, 'filter' | 'columns'>;
  readonly known: readonly SavedView[];
  readonly onSaved: () => void;
};

function SaveForm({ view, known, onSaved }: SaveFormProps) {
  const client = useQueryClient();
  const me = useMe();
  const [name, setName] = useState('');
  const [isShared, setIsShared] = useState(false);
  const [error, setError] = useState('');
  const isKnown = known.some((each) => each.owner === me?.email && each.name === name.trim());
  const save = async () => {
    try {
      await apiPost<SavedView>(VIEWS, { ...view, name, isShared });
      await client.invalidateQueries({ queryKey: [VIEWS] });
      onSaved();
    } catch (problem) {
      setError((problem as Error).message);
    }
  };
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== '') void save();
      }}
    >
      <p className="dialog-means">
        A view keeps the filters and the columns. The period and a search are not kept.
      </p>
      <TextInput
        label="Name"
        value={name}
        onChange={setName}
        autoFocus
        description={
          isKnown ? 'This replaces your view of the same name.' : 'Do not write personal data.'
        }
      />
      <Switch label="Show it to all operators" isSelected={isShared} onChange={setIsShared} />
      {error !== '' && (
        <p className="dialog-error" role="alert">
          {error}
        </p>
      )}
      <footer className="dialog-foot">
        <Button tone="primary" type="submit" isDisabled={name.trim() === ''}>
          Save
        </Button>
      </footer>
    </form>
  );
}
