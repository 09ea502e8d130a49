import { Fragment } from 'react';

/** A mail address, which a narrow column breaks after the "@" or before a point, and within a word only where that is too long. */
export function MailAddress({ address }: { address: string }) {
  return (
    <bdi>
      {address.split(/(?<=@)|(?=\.)/).map((part, index) => (
        // Parts have no other name than their place.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
