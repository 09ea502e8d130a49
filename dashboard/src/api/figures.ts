import { ApiError, errorOf, reach } from './errors.ts';

/** What arrived spoilt may well come whole the next time. */
const lost = (error: unknown): never => {
  throw new ApiError({ status: 0, code: 'NETWORK', message: (error as Error).message });
};

/** Reads a file of figures that belongs to the build. @throws ApiError, by which a query knows whether to try again */
export async function readFigures<T>(url: string): Promise<T> {
  const response = await reach(url, {});
  if (!response.ok) throw await errorOf(response);
  return (await response.json().catch(lost)) as T;
}
