import { TextInput, type TextInputProps } from '@mantine/core';
import { useState } from 'react';

type DayFieldProps = Omit<TextInputProps, 'type' | 'value' | 'onChange' | 'onBlur'> & {
  /** `2026-11-28`, or empty. */
  value: string;
  onChange: (day: string) => void;
};

/**
 * A day that comes back later than it is typed, as filters in the address do. React would put the day of before into the field
 * meanwhile, and Safari then begins the year anew with each digit: 2026 became 0006.
 */
export function DayField({ value, onChange, ...rest }: DayFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  return (
    <TextInput
      {...rest}
      type="date"
      value={typed ?? value}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        onChange(currentTarget.value);
      }}
      onBlur={() => setTyped(null)}
    />
  );
}
