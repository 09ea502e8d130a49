import { withGuards, type Cell } from '../../shared/csv.ts';
import type { Db } from '../../shared/db.ts';
import { listProducts, type ProductFilter } from '../../shared/products/service.ts';
import { allPages } from '../csv-download.ts';
import { TABLE_COLUMNS } from './columns.ts';
import { presentProduct } from './schema.ts';

const jsonUnlessEmpty = (value: object): string =>
  Object.keys(value).length === 0 ? '' : JSON.stringify(value);

export async function* rowsOf(db: Db, orgId: string, filter: ProductFilter): AsyncGenerator<Cell[][]> {
  for await (const rows of allPages((page) => listProducts(db, orgId, filter, page)))
    yield rows.map((row) => {
      const product = presentProduct(row);
      const { markets, attributes, links } = product;
      const cells = {
        ...product,
        markets: markets.join(' '),
        attributes: jsonUnlessEmpty(attributes),
        links: jsonUnlessEmpty(links),
      };
      return TABLE_COLUMNS.map((column) => {
        const cell = cells[column] ?? null;
        return cell === null ? null : withGuards(cell);
      });
    });
}
