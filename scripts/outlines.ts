import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import { presimplify, simplify } from 'topojson-simplify';
import type { GeometryCollection, Topology } from 'topojson-specification';
import type { Plugin } from 'vite';

/** The states on one map, in pixels of an Albers projection of 975 by 610. */
const atlas: Topology<{ states: GeometryCollection<{ name: string }> }> = createRequire(
  import.meta.url,
)('us-atlas/states-albers-10m.json');

/** The size in square pixels below which a bend or an island is left out. */
const SMALLEST_AREA = 4;

type Point = readonly [x: number, y: number];

function ringPath(ring: readonly Point[]): string {
  const steps = ring.slice(1, -1).map(([x, y], index) => {
    const [fromX, fromY] = ring[index] as Point;
    return `${x - fromX} ${y - fromY}`;
  });
  return `M${ring[0]?.join(' ')}l${steps.join(' ').replaceAll(' -', '-')}z`;
}

/** Returns the outline of each state, by the state's name: the SVG path and its view box. */
function stateOutlines(): Record<string, { path: string; viewBox: string }> {
  const simple = simplify(presimplify(atlas), SMALLEST_AREA) as typeof atlas;
  const { features } = feature(simple, simple.objects.states);
  return Object.fromEntries(
    features.map(({ properties: { name }, geometry }) => {
      if (geometry.type !== 'Polygon' && geometry.type !== 'MultiPolygon') throw new Error(name);
      const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
      const rings = polygons
        .flat()
        .map((ring) => ring.map(([x = 0, y = 0]): Point => [Math.round(x), Math.round(y)]))
        .filter((ring) => new Set(ring.map(String)).size > 2);
      const xs = rings.flat().map(([x]) => x);
      const ys = rings.flat().map(([, y]) => y);
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      const viewBox = [left, top, Math.max(...xs) - left, Math.max(...ys) - top].join(' ');
      return [name, { path: rings.map(ringPath).join(''), viewBox }];
    }),
  );
}

/** Computes `virtual:state-outlines` during the build. The server needs no geography then. */
export function outlines(): Plugin {
  const id = 'virtual:state-outlines';
  return {
    name: 'state-outlines',
    resolveId: (name) => (name === id ? `\0${id}` : undefined),
    load: (name) =>
      name === `\0${id}` ? `export default ${JSON.stringify(stateOutlines())}` : undefined,
  };
}
