/** A page elsewhere about a product, as a GS1 resolver leads to it. */
export interface ProductLink {
  /** Of the GS1 Web Vocabulary, `gs1:instructions`. */
  linkType: string;
  /** http or https. */
  url: string;
  /** For whoever chooses among links. */
  title: string;
  /** What the page is written in (ISO 639-1); null for every or no language. */
  language: string | null;
}
