import { FileInput, type FileInputProps } from '@mantine/core';
import { useId, useRef } from 'react';

type FieldProps = Pick<
  FileInputProps,
  | 'label'
  | 'description'
  | 'placeholder'
  | 'accept'
  | 'leftSection'
  | 'readOnly'
  | 'clearable'
  | 'clearButtonProps'
>;

const ONE_LINE = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/** Files, chosen or dropped. What is chosen, or asked for, is in the field's name: it is a button, whose label alone would be read. */
export function FilesField({
  value,
  onChange,
  placeholder,
  readOnly = false,
  multiple = true,
  ...rest
}: FieldProps & { value: File[]; onChange: (files: File[]) => void; multiple?: boolean }) {
  const id = useId();
  const forget = useRef<() => void>(null);
  const field = useRef<HTMLButtonElement>(null);
  return (
    <FileInput
      {...rest}
      id={id}
      multiple={multiple}
      aria-labelledby={`${id}-label ${id}-file`}
      placeholder={<span id={`${id}-file`}>{placeholder}</span>}
      valueComponent={() => (
        <div id={`${id}-file`} style={ONE_LINE}>
          <bdi>{value.map(({ name }) => name).join(', ')}</bdi>
        </div>
      )}
      ref={field}
      resetRef={forget}
      readOnly={readOnly}
      value={multiple ? value : (value[0] ?? null)}
      onChange={(chosen) => {
        const files = [chosen].flat().filter((file) => file !== null);
        // A browser says nothing of a file that it has chosen already: mended, the same one could not be sent again.
        forget.current?.();
        onChange(files);
        // The button that cleared it goes with the file.
        if (files.length === 0) field.current?.focus();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        // Else the browser would open it in place of the screen.
        event.preventDefault();
        const files = [...event.dataTransfer.files].slice(0, multiple ? undefined : 1);
        if (files.length > 0 && !readOnly) onChange(files);
      }}
    />
  );
}

/** One file, as {@link FilesField}. */
export const FileField = ({
  value,
  onChange,
  ...rest
}: FieldProps & { value: File | null; onChange: (file: File | null) => void }) => (
  <FilesField
    {...rest}
    multiple={false}
    value={value === null ? [] : [value]}
    onChange={([file = null]) => onChange(file)}
  />
);
