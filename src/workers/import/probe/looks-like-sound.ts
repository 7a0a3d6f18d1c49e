const soundEndings = /\.(?:aac|ac3|aif[cf]?|amr|ape|asf|au|avi|caf|dts|flac|flv|m4[abrv]|mka|mkv|mov|mp[1234]|mpe?g|mts|m2ts|oga|ogg|ogv|opus|qt|snd|spx|ts|tta|wav|weba|webm|wm[av]|wv|3gp|3g2)$/i;

/** Whether a file says of itself, by its name or its type, that there is sound in it. */
export const looksLikeSound = ({ name, type }: { name: string; type: string }): boolean => /^(?:audio|video)\//.test(type) || soundEndings.test(name);
