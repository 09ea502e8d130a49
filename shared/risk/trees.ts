/**
 * Boosted trees: the chance of a yes from a few numbers, learned from examples. Each tree asks seven questions at most and corrects
 * what those before it left over (Friedman 2001; Newton steps and regularization as in Chen and Guestrin 2016). Growing is
 * deterministic, so what was learned from the same examples is the same everywhere.
 */

/** What was learned; plain JSON. */
export interface Trees {
  /** Log-odds where nothing is asked. */
  base: number;
  /** Each tree's nodes, four numbers to one: feature, limit, and the places of the nodes for less and for more; a leaf is −1, its log-odds, 0, 0. */
  trees: number[][];
}

const TREES = 80;
const QUESTIONS = 7;
/** Each tree corrects so much of what is left over. */
const STEP = 0.1;
/** No answer rests on fewer examples than this. */
const FEWEST_EXAMPLES = 40;
/** What an answer is worth is drawn towards nought as if so much had been seen against it. */
const RIDGE = 5;
/** Limits are looked for among so many quantiles of each feature. */
const MAX_LIMITS = 31;
const NODE = 4;
const LEAF = -1;

/** @returns the chance of a yes, strictly between 0 and 1 */
export function chanceOf({ base, trees }: Trees, features: ArrayLike<number>): number {
  let odds = base;
  for (const tree of trees) {
    let node = 0;
    while (tree[node] !== LEAF)
      node = NODE * (features[tree[node]!]! <= tree[node + 1]! ? tree[node + 2]! : tree[node + 3]!);
    odds += tree[node + 1]!;
  }
  return 1 / (1 + Math.exp(-odds));
}

/**
 * @param examples as many finite numbers for each
 * @param answers as many as there are examples, of both kinds
 */
export function growTrees(examples: readonly ArrayLike<number>[], answers: readonly boolean[]): Trees {
  const grower = new Grower(examples, answers);
  return { base: rounded(grower.base), trees: Array.from({ length: TREES }, () => grower.grow()) };
}

/** A question that parts a leaf's examples. */
interface Split {
  gain: number;
  feature: number;
  /** Bins up to this one are less. */
  bin: number;
}

/** A leaf of the tree that grows: its node, and how it is best parted. */
interface Leaf {
  node: number;
  split: Split | null;
}

class Grower {
  readonly base: number;
  private readonly size: number;
  /** Of each feature, ascending. */
  private readonly limits: number[][];
  /** Of each feature and example. */
  private readonly bins: Uint8Array[];
  private readonly answers: Uint8Array;
  private readonly odds: Float64Array;
  /** What each example has left over, and how sure its chance is not. */
  private readonly slope: Float64Array;
  private readonly curve: Float64Array;
  private readonly nodeOf: Uint8Array;

  constructor(examples: readonly ArrayLike<number>[], answers: readonly boolean[]) {
    this.size = examples.length;
    this.answers = Uint8Array.from(answers, Number);
    const yes = this.answers.reduce((sum, answer) => sum + answer, 0);
    this.base = Math.log(yes / (this.size - yes));
    this.limits = Array.from({ length: examples[0]!.length }, (_, feature) =>
      quantiles(Float64Array.from(examples, (example) => example[feature]!)),
    );
    this.bins = this.limits.map((limits, feature) =>
      Uint8Array.from(examples, (example) => binOf(limits, example[feature]!)),
    );
    this.odds = new Float64Array(this.size).fill(this.base);
    this.slope = new Float64Array(this.size);
    this.curve = new Float64Array(this.size);
    this.nodeOf = new Uint8Array(this.size);
  }

  grow(): number[] {
    for (let i = 0; i < this.size; i++) {
      const chance = 1 / (1 + Math.exp(-this.odds[i]!));
      this.slope[i] = this.answers[i]! - chance;
      this.curve[i] = chance * (1 - chance);
    }
    this.nodeOf.fill(0);
    const nodes: (Split | null)[] = [null];
    const children = new Map<number, number>();
    let leaves: Leaf[] = [{ node: 0, split: this.bestSplit(0) }];
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const best = leaves.reduce((a, b) => ((b.split?.gain ?? 0) > (a.split?.gain ?? 0) ? b : a));
      const { node, split } = best;
      if (split === null) break;
      const less = nodes.length;
      nodes[node] = split;
      children.set(node, less);
      nodes.push(null, null);
      const bins = this.bins[split.feature]!;
      for (let i = 0; i < this.size; i++)
        if (this.nodeOf[i] === node) this.nodeOf[i] = bins[i]! <= split.bin ? less : less + 1;
      leaves = leaves.filter((leaf) => leaf !== best);
      for (const child of [less, less + 1]) leaves.push({ node: child, split: this.bestSplit(child) });
    }
    const values = nodes.map((split, node) => (split === null ? this.valueOf(node) : 0));
    for (let i = 0; i < this.size; i++) this.odds[i]! += values[this.nodeOf[i]!]!;
    return nodes.flatMap((split, node) =>
      split === null
        ? [LEAF, values[node]!, 0, 0]
        : [
            split.feature,
            this.limits[split.feature]![split.bin]!,
            children.get(node)!,
            children.get(node)! + 1,
          ],
    );
  }

  private valueOf(node: number): number {
    let slope = 0;
    let curve = 0;
    for (let i = 0; i < this.size; i++) {
      if (this.nodeOf[i] !== node) continue;
      slope += this.slope[i]!;
      curve += this.curve[i]!;
    }
    return rounded((STEP * slope) / (curve + RIDGE));
  }

  private bestSplit(node: number): Split | null {
    let best: Split | null = null;
    for (const [feature, limits] of this.limits.entries()) {
      const slopes = new Float64Array(limits.length + 1);
      const curves = new Float64Array(limits.length + 1);
      const counts = new Uint32Array(limits.length + 1);
      const bins = this.bins[feature]!;
      for (let i = 0; i < this.size; i++) {
        if (this.nodeOf[i] !== node) continue;
        const bin = bins[i]!;
        slopes[bin]! += this.slope[i]!;
        curves[bin]! += this.curve[i]!;
        counts[bin]!++;
      }
      const all = { slope: sum(slopes), curve: sum(curves), count: sum(counts) };
      const less = { slope: 0, curve: 0, count: 0 };
      for (let bin = 0; bin < limits.length; bin++) {
        less.slope += slopes[bin]!;
        less.curve += curves[bin]!;
        less.count += counts[bin]!;
        if (less.count < FEWEST_EXAMPLES || all.count - less.count < FEWEST_EXAMPLES) continue;
        const gain =
          worth(less.slope, less.curve) +
          worth(all.slope - less.slope, all.curve - less.curve) -
          worth(all.slope, all.curve);
        // Sums of many numbers end in noise, which is no gain.
        if (gain > (best?.gain ?? 0) + 1e-9) best = { gain, feature, bin };
      }
    }
    return best;
  }
}

const worth = (slope: number, curve: number): number => slope ** 2 / (curve + RIDGE);

function sum(numbers: Float64Array | Uint32Array): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}

/** Short in JSON, and the same before and after it. */
const rounded = (value: number): number => Number(value.toPrecision(5));

/** Limits between the values, so that about as many lie between any two. The highest parts nothing. */
function quantiles(values: Float64Array): number[] {
  values.sort();
  const limits: number[] = [];
  for (let step = 1; step <= MAX_LIMITS; step++) {
    const limit = rounded(values[Math.floor((step * values.length) / (MAX_LIMITS + 1))]!);
    if (limits.length === 0 || limit > limits.at(-1)!) limits.push(limit);
  }
  return limits;
}

/** The number of limits below the value. */
function binOf(limits: readonly number[], value: number): number {
  let bin = 0;
  while (bin < limits.length && value > limits[bin]!) bin++;
  return bin;
}
