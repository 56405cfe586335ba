/** Made by the build, from `world-map.ts`. */
declare module 'virtual:world-map' {
  export const WORLD_MAP: {
    readonly width: number;
    readonly height: number;
    readonly countries: readonly (readonly [code: string, path: string])[];
  };
}
