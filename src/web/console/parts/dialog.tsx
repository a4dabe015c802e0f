import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  Dialog as AriaDialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components';
import { useAction } from '../api.ts';
import {
  Button,
  type ButtonProps,
  Form,
  IconButton,
  type Item,
  Select,
  TextInput,
} from './controls.tsx';
import { Problem } from './page.tsx';

type DialogProps = {
  readonly title: string;
  /** The button that opens the dialog. */
  readonly trigger: ReactNode;
  /** The content, or a function that returns the content and can close the dialog. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
};

/** Shows a dialog in front of the page. */
export function Dialog({ title, trigger, children }: DialogProps) {
  return (
    <DialogTrigger>
      {trigger}
      <ModalOverlay className="overlay" isDismissable>
        <Modal className="modal">
          <AriaDialog className="dialog">
            {({ close }) => (
              <>
                <header className="row spread">
                  <Heading slot="title">{title}</Heading>
                  <IconButton label="Close" icon="close" onPress={close} />
                </header>
                {typeof children === 'function' ? children(close) : children}
              </>
            )}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </DialogTrigger>
  );
}

type ActionButtonProps = Pick<ButtonProps, 'tone' | 'icon' | 'children'> & {
  readonly onAction: () => Promise<unknown>;
};

/** Draws a button that acts at once, without asking for a reason. */
export function ActionButton({ onAction, ...button }: ActionButtonProps) {
  const act = useAction(onAction);
  const wasPressed = useRef(false);
  // If the action removes its own button, the focus moves to the next row.
  useEffect(() => () => (wasPressed.current ? keepPlace()() : undefined), []);
  const press = () => {
    wasPressed.current = true;
    act.mutate({});
  };
  return (
    <>
      <Problem of={act.error} />
      <Button {...button} onPress={press} isPending={act.isPending} />
    </>
  );
}

type ActionDialogProps = Pick<DialogProps, 'title'> & {
  /** The button that opens the dialog. Default: one with the label of the action. */
  readonly trigger?: ReactNode;
  readonly means: ReactNode;
  /** The reasons to choose from. */
  readonly reasons?: readonly Item[];
  /** Says where the reason is stored. */
  readonly storedIn?: string;
  readonly confirmLabel: string;
  readonly tone?: 'primary' | 'danger';
  /** Performs the action. Closing the dialog aborts `signal`. */
  readonly onConfirm: (reason: string, signal: AbortSignal) => Promise<unknown>;
  readonly children?: ReactNode;
};

/** Asks for a reason before an action. */
export function ActionDialog({ title, trigger, ...form }: ActionDialogProps) {
  return (
    <Dialog title={title} trigger={trigger ?? <Button>{form.confirmLabel}…</Button>}>
      {(close) => <ActionForm {...form} close={close} />}
    </Dialog>
  );
}

type ActionFormProps = Omit<ActionDialogProps, 'title' | 'trigger'> & {
  readonly close: () => void;
};

function ActionForm(props: ActionFormProps) {
  const { means, reasons, confirmLabel, tone = 'primary', onConfirm, close, children } = props;
  const { storedIn = 'The audit log stores it.' } = props;
  const [picked, setPicked] = useState('');
  const [words, setWords] = useState('');
  const needsWords = reasons === undefined || picked === reasons.at(-1)?.id;
  const reason = needsWords ? words.trim() : picked;
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  useEffect(keepPlace, []);
  const confirm = useAction((text: string) => {
    running.current = new AbortController();
    return onConfirm(text, running.current.signal);
  });
  return (
    <Form
      onSubmit={() => {
        if (reason !== '') confirm.mutate(reason, { onSuccess: close });
      }}
      isPending={confirm.isPending}
    >
      <div className="quiet">{means}</div>
      {children}
      {reasons && (
        <Select
          autoFocus
          label="Reason"
          isLabelShown
          items={[{ id: '', label: 'Choose a reason' }, ...reasons]}
          value={picked}
          onChange={setPicked}
        />
      )}
      {needsWords && (
        <TextInput
          label={reasons ? 'In words' : 'Reason'}
          description={`${storedIn} Do not write personal data.`}
          value={words}
          onChange={setWords}
          autoFocus={!reasons}
          lines={2}
        />
      )}
      <Problem of={confirm.error} />
      <footer className="row">
        <Button onPress={close}>Cancel</Button>
        <Button tone={tone} type="submit" isPending={confirm.isPending} isDisabled={reason === ''}>
          {confirmLabel}
        </Button>
      </footer>
    </Form>
  );
}

/** Returns a function that focuses the next row if the row that opened the dialog is gone. */
function keepPlace(): () => void {
  const rows = () => [...document.querySelectorAll<HTMLElement>('#main [data-row]')];
  const at = rows().findIndex((row) => row.querySelector('[aria-expanded=true]'));
  return () => {
    // React Aria restores the focus in the next frame.
    const focus = () => {
      if (document.activeElement !== document.body) return;
      const next = at < 0 ? undefined : (rows()[at] ?? rows().at(-1));
      (next ?? document.querySelector<HTMLElement>('h1'))?.focus();
    };
    requestAnimationFrame(() => requestAnimationFrame(focus));
  };
}
