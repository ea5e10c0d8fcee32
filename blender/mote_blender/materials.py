"""How things look: water, cloth, smoke, and particles as balls of their own radius and colour."""
import bpy

from . import scene_file, versions

INPUTS = {"transmission": ("Transmission", "Transmission Weight"), "roughness": ("Roughness",), "ior": ("IOR",),
          "color": ("Base Color",)}


def principled(name, **values):
    found = bpy.data.materials.get(name)
    if found is not None:
        return found, None
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    shader = material.node_tree.nodes["Principled BSDF"]
    for key, value in values.items():
        versions.socket(shader.inputs, *INPUTS[key]).default_value = value
    return material, shader


def water():
    return principled("mote water", transmission=1.0, roughness=0.0, ior=1.33)[0]


def cloth():
    return principled("mote cloth", roughness=0.8, color=(0.6, 0.12, 0.1, 1))[0]


def solid(look):
    """Of a collider or a body: its own colour, or grey; glass where the scene says so."""
    color = tuple(scene_file.numbers(look, "color", (0.6, 0.6, 0.6)))
    if look.get("glass") is True:
        return principled("mote glass", transmission=1.0, roughness=0.0, ior=1.5)[0]
    return principled("mote solid %.3g %.3g %.3g" % color, roughness=0.6, color=color + (1,))[0]


def particles():
    """Colours by the attribute."""
    material, shader = principled("mote particles", roughness=0.5)
    if shader is not None:
        node = material.node_tree.nodes.new("ShaderNodeAttribute")
        node.attribute_name = "color"
        material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    return material


def smoke():
    """As dense as in mote's own pictures, glowing where there is flame."""
    name = "mote smoke"
    if name in bpy.data.materials:
        return bpy.data.materials[name]
    material = bpy.data.materials.new(name)
    material.use_nodes = True
    nodes, link = material.node_tree.nodes, material.node_tree.links.new
    nodes.clear()
    shader, output = nodes.new("ShaderNodeVolumePrincipled"), nodes.new("ShaderNodeOutputMaterial")
    flame, glow = nodes.new("ShaderNodeAttribute"), nodes.new("ShaderNodeMath")
    shader.inputs["Density Attribute"].default_value = "extinction"
    shader.inputs["Density"].default_value = 1
    shader.inputs["Temperature Attribute"].default_value = "temperature"
    flame.attribute_name = "flame"
    glow.operation = "MULTIPLY"
    glow.inputs[1].default_value = 10  # shares of flame are a few hundredths
    link(versions.socket(flame.outputs, "Fac", "Factor"), glow.inputs[0])
    link(glow.outputs[0], shader.inputs["Blackbody Intensity"])
    link(shader.outputs["Volume"], output.inputs["Volume"])
    return material


def balls():
    """A group of geometry nodes: points of the mesh as balls with the attribute `radius`."""
    name = "mote balls"
    if name in bpy.data.node_groups:
        return bpy.data.node_groups[name]
    group = bpy.data.node_groups.new(name, "GeometryNodeTree")
    versions.new_socket(group, "Geometry", "INPUT")
    versions.new_socket(group, "Geometry", "OUTPUT")
    nodes, link = group.nodes, group.links.new
    start, end = nodes.new("NodeGroupInput"), nodes.new("NodeGroupOutput")
    points, radius = nodes.new("GeometryNodeMeshToPoints"), nodes.new("GeometryNodeInputNamedAttribute")
    paint = nodes.new("GeometryNodeSetMaterial")
    radius.data_type = "FLOAT"
    radius.inputs["Name"].default_value = "radius"
    paint.inputs["Material"].default_value = particles()
    link(start.outputs[0], points.inputs["Mesh"])
    link(next(s for s in radius.outputs if s.enabled), points.inputs["Radius"])
    link(points.outputs[0], paint.inputs["Geometry"])
    link(paint.outputs[0], end.inputs[0])
    return group


def dress(thing, kind):
    if kind == "particles":
        thing.modifiers.new("mote balls", "NODES").node_group = balls()
    else:
        thing.data.materials.append(water() if kind == "surface" else cloth())
