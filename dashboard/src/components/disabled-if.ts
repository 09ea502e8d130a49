/** For a button. Not `disabled`, which would take the focus from whoever has pressed it by the keyboard. */
export const disabledIf = (isDisabled: boolean) => ({
  'aria-disabled': isDisabled,
  'data-disabled': isDisabled || undefined,
});
