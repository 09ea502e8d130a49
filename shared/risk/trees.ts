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

const TREES = 60;
const QUESTIONS = 7;
/** Each tree corrects so much of what is left over. */
const STEP = 0.13;
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

/** A leaf of the tree that grows: its node, its examples, and how they are best parted. */
interface Leaf {
  node: number;
  examples: Uint32Array;
  sums: Float64Array;
  split: Split | null;
}

/** Sums of a bin: what its examples have left over, how unsure their chances are, and how many they are. */
const SLOPE = 0;
const CURVE = 1;
const COUNT = 2;
const SUMS = 3;
const BINS = MAX_LIMITS + 1;

class Grower {
  readonly base: number;
  private readonly size: number;
  /** Of each feature, ascending. */
  private readonly limits: number[][];
  /** Of each example and feature: what belongs to an example lies together. */
  private readonly bins: Uint8Array;
  private readonly answers: Uint8Array;
  private readonly odds: Float64Array;
  private readonly slope: Float64Array;
  private readonly curve: Float64Array;
  /** Their numbers. */
  private readonly all: Uint32Array;

  constructor(examples: readonly ArrayLike<number>[], answers: readonly boolean[]) {
    this.size = examples.length;
    this.answers = Uint8Array.from(answers, Number);
    const yes = this.answers.reduce((sum, answer) => sum + answer, 0);
    this.base = Math.log(yes / (this.size - yes));
    const columns = Array.from({ length: examples[0]!.length }, (_, feature) => column(examples, feature));
    this.limits = columns.map(quantiles);
    this.bins = binned(columns, this.limits);
    this.odds = new Float64Array(this.size).fill(this.base);
    this.slope = new Float64Array(this.size);
    this.curve = new Float64Array(this.size);
    this.all = Uint32Array.from(answers.keys());
  }

  grow(): number[] {
    for (let i = 0; i < this.size; i++) {
      const chance = 1 / (1 + Math.exp(-this.odds[i]!));
      this.slope[i] = this.answers[i]! - chance;
      this.curve[i] = chance * (1 - chance);
    }
    const nodes: number[][] = [[]];
    let leaves = [this.leaf(0, this.all, this.sumsOf(this.all))];
    for (let asked = 0; asked < QUESTIONS; asked++) {
      const best = leaves.reduce((a, b) => ((b.split?.gain ?? 0) > (a.split?.gain ?? 0) ? b : a));
      if (best.split === null) break;
      const { feature, bin } = best.split;
      const less = nodes.length;
      nodes[best.node] = [feature, this.limits[feature]![bin]!, less, less + 1];
      nodes.push([], []);
      leaves = [...leaves.filter((leaf) => leaf !== best), ...this.part(best, best.split, less)];
    }
    for (const { node, examples, sums } of leaves) {
      const value = this.valueOf(sums);
      nodes[node] = [LEAF, value, 0, 0];
      for (let k = 0; k < examples.length; k++) this.odds[examples[k]!]! += value;
    }
    return nodes.flat();
  }

  /** Only the smaller half is summed up: the larger has the rest. */
  private part({ examples, sums }: Leaf, { feature, bin }: Split, node: number): Leaf[] {
    const { less, more } = this.halves(examples, feature, bin);
    const smaller = this.sumsOf(less.length < more.length ? less : more);
    const larger = new Float64Array(sums.length);
    for (let i = 0; i < sums.length; i++) larger[i] = sums[i]! - smaller[i]!;
    const [ofLess, ofMore] = less.length < more.length ? [smaller, larger] : [larger, smaller];
    return [this.leaf(node, less, ofLess), this.leaf(node + 1, more, ofMore)];
  }

  /** By hand: a typed array's own filter takes several times as long. */
  private halves(examples: Uint32Array, feature: number, bin: number) {
    const features = this.limits.length;
    const both = new Uint32Array(examples.length);
    let [less, more] = [0, examples.length];
    for (let k = 0; k < examples.length; k++) {
      const i = examples[k]!;
      if (this.bins[i * features + feature]! <= bin) both[less++] = i;
      else both[--more] = i;
    }
    return { less: both.subarray(0, less), more: both.subarray(less) };
  }

  private leaf(node: number, examples: Uint32Array, sums: Float64Array): Leaf {
    return { node, examples, sums, split: this.bestSplit(sums) };
  }

  /** Of each feature and bin. */
  private sumsOf(examples: Uint32Array): Float64Array {
    const { slope, curve, bins } = this;
    const features = this.limits.length;
    const sums = new Float64Array(features * BINS * SUMS);
    for (let k = 0; k < examples.length; k++) {
      const i = examples[k]!;
      const [ofSlope, ofCurve] = [slope[i]!, curve[i]!];
      for (let feature = 0; feature < features; feature++) {
        const at = (feature * BINS + bins[i * features + feature]!) * SUMS;
        sums[at] = sums[at]! + ofSlope;
        sums[at + CURVE] = sums[at + CURVE]! + ofCurve;
        sums[at + COUNT] = sums[at + COUNT]! + 1;
      }
    }
    return sums;
  }

  private valueOf(sums: Float64Array): number {
    const [slope, curve] = total(sums);
    return rounded((STEP * slope) / (curve + RIDGE));
  }

  private bestSplit(sums: Float64Array): Split | null {
    const [slope, curve, count] = total(sums);
    let best: Split | null = null;
    for (const [feature, limits] of this.limits.entries()) {
      let [slopeLess, curveLess, countLess] = [0, 0, 0];
      for (let bin = 0; bin < limits.length; bin++) {
        const at = (feature * BINS + bin) * SUMS;
        slopeLess += sums[at + SLOPE]!;
        curveLess += sums[at + CURVE]!;
        countLess += sums[at + COUNT]!;
        if (countLess < FEWEST_EXAMPLES || count - countLess < FEWEST_EXAMPLES) continue;
        const gain =
          worth(slopeLess, curveLess) + worth(slope - slopeLess, curve - curveLess) - worth(slope, curve);
        // Sums of many numbers end in noise, which is no gain.
        if (gain > (best?.gain ?? 0) + 1e-9) best = { gain, feature, bin };
      }
    }
    return best;
  }
}

/** Each feature has all examples in its bins: the first says what they come to. */
function total(sums: Float64Array): [slope: number, curve: number, count: number] {
  let [slope, curve, count] = [0, 0, 0];
  for (let bin = 0; bin < BINS; bin++) {
    slope += sums[bin * SUMS + SLOPE]!;
    curve += sums[bin * SUMS + CURVE]!;
    count += sums[bin * SUMS + COUNT]!;
  }
  return [slope, curve, count];
}

const worth = (slope: number, curve: number): number => slope ** 2 / (curve + RIDGE);

/** Short in JSON, and the same before and after it. */
const rounded = (value: number): number => Number(value.toPrecision(5));

/** A feature of all examples. By hand, as `from` with a function takes several times as long. */
function column(examples: readonly ArrayLike<number>[], feature: number): Float64Array {
  const values = new Float64Array(examples.length);
  for (let i = 0; i < values.length; i++) values[i] = examples[i]![feature]!;
  return values;
}

function binned(columns: readonly Float64Array[], limits: readonly number[][]): Uint8Array {
  const bins = new Uint8Array(columns.length * columns[0]!.length);
  for (const [feature, values] of columns.entries())
    for (let i = 0; i < values.length; i++)
      bins[i * columns.length + feature] = binOf(limits[feature]!, values[i]!);
  return bins;
}

/** Limits between the values, so that about as many lie between any two. The highest parts nothing. */
function quantiles(unsorted: Float64Array): number[] {
  const values = unsorted.toSorted();
  const limits: number[] = [];
  for (let step = 1; step <= MAX_LIMITS; step++) {
    const limit = rounded(values[Math.floor((step * values.length) / (MAX_LIMITS + 1))]!);
    if (limits.length === 0 || limit > limits.at(-1)!) limits.push(limit);
  }
  return limits;
}

/** The number of limits below the value. */
function binOf(limits: readonly number[], value: number): number {
  let [from, to] = [0, limits.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (value > limits[middle]!) from = middle + 1;
    else to = middle;
  }
  return from;
}
