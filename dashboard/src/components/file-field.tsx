import { FileInput, type FileInputProps } from '@mantine/core';
import { useId, useRef } from 'react';

type FileFieldProps = Pick<
  FileInputProps,
  | 'label'
  | 'description'
  | 'placeholder'
  | 'accept'
  | 'leftSection'
  | 'readOnly'
  | 'clearable'
  | 'clearButtonProps'
> & { value: File | null; onChange: (file: File | null) => void };

const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** One file, chosen or dropped. What is chosen, or asked for, is in the field's name: it is a button, whose label alone would be read. */
export function FileField({ value, onChange, placeholder, readOnly = false, ...rest }: FileFieldProps) {
  const id = useId();
  const forget = useRef<() => void>(null);
  const field = useRef<HTMLButtonElement>(null);
  return (
    <FileInput
      {...rest}
      id={id}
      aria-labelledby={`${id}-label ${id}-file`}
      placeholder={<span id={`${id}-file`}>{placeholder}</span>}
      valueComponent={() => (
        <div id={`${id}-file`} style={ONE_LINE}>
          <bdi>{value?.name}</bdi>
        </div>
      )}
      ref={field}
      resetRef={forget}
      readOnly={readOnly}
      value={value}
      onChange={(file) => {
        // A browser says nothing of a file that it has chosen already: mended, the same one could not be sent again.
        forget.current?.();
        onChange(file);
        // The button that cleared it goes with the file.
        if (file === null) field.current?.focus();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        // Else the browser would open it in place of the screen.
        event.preventDefault();
        const [file] = event.dataTransfer.files;
        if (file !== undefined && !readOnly) onChange(file);
      }}
    />
  );
}
