import { PasswordInput, type PasswordInputProps } from '@mantine/core';

/**
 * Mantine's marks a wrong password by its colour alone, and keeps the button that shows it from the keyboard: a reader of the
 * screen is told here too, and a form that was refused finds the field to go on in.
 */
export const PasswordField = (props: PasswordInputProps) => (
  <PasswordInput aria-invalid={props.error ? true : undefined} visibilityToggleFocusable {...props} />
);
