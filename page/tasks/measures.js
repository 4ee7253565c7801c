// How large a task is drawn in the graph, for whoever places it and whoever draws it.

export const NODE_WIDTH = 190;
export const NODE_HEIGHT = 46;
