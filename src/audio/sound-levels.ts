/** A sample this loud is at full scale. */
export const clippingAmplitude = 0.999;
/** A sample this loud (−60 dBFS) ends silence: a room with a person in it is never quieter. */
export const audibleAmplitude = 0.001;
