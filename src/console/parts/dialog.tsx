import { type ReactNode, useState } from 'react';
import {
  Dialog as AriaDialog,
  DialogTrigger,
  Heading,
  Modal,
  ModalOverlay,
} from 'react-aria-components';
import { Button, IconButton, type Item, Select, TextInput } from './controls.tsx';
import { Icon } from './icon.tsx';

type DialogProps = {
  readonly title: string;
  /** The button that opens it. Without one, `isOpen` decides. */
  readonly trigger?: ReactNode;
  readonly isOpen?: boolean;
  readonly onClose?: () => void;
  /** A function is given what closes the dialog. */
  readonly children: ReactNode | ((close: () => void) => ReactNode);
};

/** Asks or shows something in front of the page. Escape and the sign in its corner close it. */
export function Dialog({ title, trigger, isOpen, onClose, children }: DialogProps) {
  const onOpenChange = (isNowOpen: boolean) => {
    if (!isNowOpen) onClose?.();
  };
  const overlay = (
    <ModalOverlay className="overlay" isDismissable isOpen={isOpen} onOpenChange={onOpenChange}>
      <Modal className="modal">
        <AriaDialog className="dialog">
          {({ close }) => (
            <>
              <header className="dialog-head">
                <Heading slot="title">{title}</Heading>
                <IconButton label="Close" onPress={close}>
                  <Icon name="close" />
                </IconButton>
              </header>
              {typeof children === 'function' ? children(close) : children}
            </>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
  if (trigger === undefined) return overlay;
  return (
    <DialogTrigger onOpenChange={onOpenChange}>
      {trigger}
      {overlay}
    </DialogTrigger>
  );
}

type ActionDialogProps = {
  readonly title: string;
  /** What will happen, said before it does. */
  readonly means: ReactNode;
  /** Reasons to pick from. The last one asks for words. Default: words only. */
  readonly reasons?: readonly Item[];
  readonly confirmLabel: string;
  readonly tone?: 'primary' | 'danger';
  readonly trigger?: ReactNode;
  readonly isOpen?: boolean;
  readonly onClose?: () => void;
  /** Does it. The dialog shows the error of a rejected promise and stays open. */
  readonly onConfirm: (reason: string) => Promise<unknown>;
  /** More to fill in, above the reason. */
  readonly children?: ReactNode;
};

/** Asks before an action: says the consequence, asks for the reason, shows the error. */
export function ActionDialog(props: ActionDialogProps) {
  const { title, trigger, isOpen, onClose } = props;
  return (
    <Dialog title={title} trigger={trigger} isOpen={isOpen} onClose={onClose}>
      {(close) => <ActionForm {...props} close={close} />}
    </Dialog>
  );
}

function ActionForm(props: ActionDialogProps & { readonly close: () => void }) {
  const { means, reasons, confirmLabel, tone = 'primary', onConfirm, close, children } = props;
  const [picked, setPicked] = useState('');
  const [words, setWords] = useState('');
  const [error, setError] = useState('');
  const [isPending, setIsPending] = useState(false);
  const needsWords = reasons === undefined || picked === reasons.at(-1)?.id;
  const reason = needsWords ? words.trim() : picked;
  const confirm = async () => {
    setIsPending(true);
    setError('');
    try {
      await onConfirm(reason);
      close();
    } catch (problem) {
      setError(problem instanceof Error ? problem.message : String(problem));
      setIsPending(false);
    }
  };
  return (
    <form
      className="dialog-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (reason !== '' && !isPending) void confirm();
      }}
    >
      <div className="dialog-means">{means}</div>
      {children}
      {reasons && (
        <Select
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
          description="It is kept in the audit log. Do not write personal data."
          value={words}
          onChange={setWords}
          lines={2}
        />
      )}
      {error !== '' && (
        <p className="dialog-error" role="alert">
          {error}
        </p>
      )}
      <footer className="dialog-foot">
        <Button onPress={close}>Cancel</Button>
        <Button tone={tone} type="submit" isPending={isPending} isDisabled={reason === ''}>
          {confirmLabel}
        </Button>
      </footer>
    </form>
  );
}
