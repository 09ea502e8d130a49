import { Anchor } from '@mantine/core';

/** The link that the licence of the places asks for (CC BY 4.0), word for word, wherever places of addresses are shown. */
export const PlaceAttribution = () => (
  <Anchor href="https://db-ip.com/" target="_blank" rel="noreferrer noopener" inherit underline="always">
    IP Geolocation by DB-IP
  </Anchor>
);
