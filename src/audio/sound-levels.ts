/** A sample this loud stands at full scale. */
export const clippingAmplitude = 0.999;
/** A sample this loud (−60 dBFS) ends a silence: no room with a person in it stays below. */
export const audibleAmplitude = 0.001;
