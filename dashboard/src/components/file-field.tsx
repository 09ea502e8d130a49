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
const WRAPPED = { whiteSpace: 'normal', overflowWrap: 'anywhere' } as const;

/**
 * Files, chosen or dropped. Those that are chosen next come to the others: a telephone's camera takes one at a time. What is chosen,
 * or asked for, is in the field's name: it is a button, whose label alone would be read.
 */
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
  const choose = (files: File[]) => onChange(multiple && files.length > 0 ? [...value, ...files] : files);
  return (
    <FileInput
      {...rest}
      id={id}
      multiple={multiple}
      aria-labelledby={`${id}-label ${id}-file`}
      placeholder={<span id={`${id}-file`}>{placeholder}</span>}
      valueComponent={() => (
        <div id={`${id}-file`} style={multiple ? WRAPPED : ONE_LINE}>
          {value.map(({ name }, index) => (
            <span key={`${index} ${name}`}>
              {index > 0 && ', '}
              <bdi>{name}</bdi>
            </span>
          ))}
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
        choose(files);
        // The button that cleared it goes with the file.
        if (files.length === 0) field.current?.focus();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        // Else the browser would open it in place of the screen.
        event.preventDefault();
        const files = [...event.dataTransfer.files].slice(0, multiple ? undefined : 1);
        if (files.length > 0 && !readOnly) choose(files);
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
