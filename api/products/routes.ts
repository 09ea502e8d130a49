import {
  archiveProduct,
  createProduct,
  getProduct,
  holdProduct,
  listProducts,
  unarchiveProduct,
  updateProduct,
} from '../../shared/products/service.ts';
import { encodeId } from '../../shared/ids.ts';
import { listBody, listOf, pageRequest } from '../list.ts';
import { created, needs, ok, operation } from '../operation.ts';
import {
  createProductBody,
  filterOf,
  listProductsQuery,
  presentProduct,
  productSchema,
  updateProductBody,
} from './schema.ts';

const tag = 'Products';

export const productOperations = [
  operation({
    method: 'get',
    path: '/api/v1/products',
    operationId: 'listProducts',
    tag,
    summary: 'List products, newest first',
    access: needs('products.read'),
    query: listProductsQuery,
    responses: { 200: { description: 'A page of products', schema: listOf(productSchema) } },
    handle: async ({ db, actor, query }) =>
      ok(
        listBody(
          'products',
          await listProducts(db, actor.orgId, filterOf(query), pageRequest(query)),
          presentProduct,
        ),
      ),
  }),
  operation({
    method: 'post',
    path: '/api/v1/products',
    operationId: 'createProduct',
    tag,
    summary: 'Create a product',
    access: needs('products.write'),
    body: createProductBody,
    idempotent: true,
    responses: { 201: { description: 'The product', schema: productSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, body }) => {
      const product = await createProduct(deps, db, actor.orgId, body);
      return created(presentProduct(product), `/api/v1/products/${encodeId('prod', product.id)}`);
    },
  }),
  operation({
    method: 'get',
    path: '/api/v1/products/{id}',
    operationId: 'getProduct',
    tag,
    summary: 'Read a product',
    access: needs('products.read'),
    ids: { id: 'prod' },
    responses: { 200: { description: 'The product', schema: productSchema } },
    handle: async ({ db, actor, ids }) => ok(presentProduct(await getProduct(db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'patch',
    path: '/api/v1/products/{id}',
    operationId: 'updateProduct',
    tag,
    summary: 'Change some fields of a product',
    description:
      'A GTIN stays once codes were made that name units by it (`gs1-digital-link`, `gs1-datamatrix`, `gs1-128`): they would be unknown.',
    access: needs('products.write'),
    ids: { id: 'prod' },
    lock: ({ db, actor, ids }) => holdProduct(db, actor.orgId, ids.id),
    body: updateProductBody,
    responses: { 200: { description: 'The changed product', schema: productSchema } },
    errors: ['CONFLICT'],
    handle: async ({ deps, db, actor, ids, body }) =>
      ok(presentProduct(await updateProduct(deps, db, actor.orgId, ids.id, body))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/products/{id}/archive',
    operationId: 'archiveProduct',
    tag,
    summary: 'Archive a product',
    description: 'Its units stay verifiable; it takes no new batches. Archiving it again changes nothing.',
    access: needs('products.write'),
    ids: { id: 'prod' },
    lock: ({ db, actor, ids }) => holdProduct(db, actor.orgId, ids.id),
    responses: { 200: { description: 'The archived product', schema: productSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentProduct(await archiveProduct(deps, db, actor.orgId, ids.id))),
  }),
  operation({
    method: 'post',
    path: '/api/v1/products/{id}/unarchive',
    operationId: 'unarchiveProduct',
    tag,
    summary: 'Take a product out of the archive',
    description: 'It takes new batches again. A product that is not archived is left as it is.',
    access: needs('products.write'),
    ids: { id: 'prod' },
    lock: ({ db, actor, ids }) => holdProduct(db, actor.orgId, ids.id),
    responses: { 200: { description: 'The product', schema: productSchema } },
    handle: async ({ deps, db, actor, ids }) =>
      ok(presentProduct(await unarchiveProduct(deps, db, actor.orgId, ids.id))),
  }),
];
